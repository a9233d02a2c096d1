require 'openapi_client'

OpenapiClient.configure do |config|
  config.scheme, config.host = ENV.fetch('URL').split('://')
  config.ignore_operation_servers = true
  config.api_key['x-api-key'] = 'demo-editor-key'
end

def update(step, patch, if_match = nil)
  ids = ['handbook', '3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80', 'acme', 'grace']
  patch = OpenapiClient::FilePatch.new(patch)
  file, status, headers = OpenapiClient::FilesApi.new.update_file_with_http_info(*ids, patch, { if_match: if_match })
  puts "#{step} #{status} #{file.summary} #{file.document_kind || 'null'}"
  headers['etag']
rescue OpenapiClient::ApiError => e
  puts "#{step} #{e.code} #{e.response_headers['x-error-code']}"
  e.response_headers['etag']
end

first = update('set', { summary: 'one', document_kind: 'guide' })
second = update('keep', { summary: 'two' }, first)
update('clear', { document_kind: nil }, second)
current = update('stale', { summary: 'three' }, first)
update('retry', { summary: 'four' }, current)
