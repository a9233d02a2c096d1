/** A file of the demo data, with an API key and a user that may update it. */
export const demoRequest = {
  apiKey: 'demo-editor-key',
  tenantId: 'acme',
  userId: 'ada',
  spaceId: 'handbook',
  fileId: '3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80',
};

/** Requests for the demo data to paste into a shell, each below a line that says what it does. */
export const exampleRequests = (baseUrl: string): string[] => {
  const { apiKey, tenantId, userId, spaceId, fileId } = demoRequest;
  const curl = (key: string, body: string) =>
    `curl -i -X PATCH '${baseUrl}/v1/spaces/${spaceId}/files/${fileId}' -H 'content-type: application/json' ` +
    `-H 'x-api-key: ${key}' -H 'x-tenant-id: ${tenantId}' -H 'x-user-id: ${userId}' -d '${body}'`;
  return [
    'Update the summary and keep the rest (200):',
    curl(apiKey, '{"summary": "How the first day and the first week go."}'),
    '',
    'Clear the document kind with null (200):',
    curl(apiKey, '{"documentKind": null}'),
    '',
    'Send an API key without permission (403):',
    curl('demo-viewer-key', '{"summary": "Not stored."}'),
    '',
  ];
};
