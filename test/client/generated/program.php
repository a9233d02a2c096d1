<?php

use OpenAPI\Client\Api\FilesApi;
use OpenAPI\Client\ApiException;
use OpenAPI\Client\Configuration;
use OpenAPI\Client\Model\FilePatch;

require stream_resolve_include_path('GuzzleHttp/autoload.php') ?: 'vendor/autoload.php';
spl_autoload_register(function (string $name): void {
    $path = strtr($name, ['OpenAPI\Client' => 'lib', '\\' => '/']) . '.php';
    if (is_file($path)) {
        require $path;
    }
});

Configuration::getDefaultConfiguration()->setHost(getenv('URL'))->setApiKey('x-api-key', 'demo-editor-key');

function update(string $step, FilePatch $patch, ?string $ifMatch = null): string
{
    try {
        [$file, $status, $headers] = (new FilesApi())->updateFileWithHttpInfo(
            'handbook',
            '3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80',
            'acme',
            'grace',
            $patch,
            $ifMatch,
        );
        $result = $file->getSummary() . ' ' . ($file->getDocumentKind() ?? 'null');
    } catch (ApiException $error) {
        [$status, $headers] = [$error->getCode(), $error->getResponseHeaders()];
        $result = $headers['x-error-code'][0];
    }
    echo "$step $status $result\n";
    return $headers['etag'][0];
}

$first = update('set', new FilePatch(['summary' => 'one', 'document_kind' => 'guide']));
$second = update('keep', new FilePatch(['summary' => 'two']), $first);
update('clear', new FilePatch(['document_kind' => null]), $second);
$current = update('stale', new FilePatch(['summary' => 'three']), $first);
update('retry', new FilePatch(['summary' => 'four']), $current);
