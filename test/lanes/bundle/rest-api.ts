import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { acceptedMediaTypes } from '#lib/http/read-file-patch.ts';
import { aRestEvent, base64 } from '#test/support/event.ts';
import { type LambdaResponse, ResponseSchema } from '#tools/lambda.ts';
import { listen } from '#tools/listen.ts';

const path = /^\/v1\/spaces\/(?<spaceId>[^/?]+)\/files\/(?<fileId>[^/?]+)(?=\?|$)/;
const ofGateway = (statusCode: number, body: string): LambdaResponse => ({ statusCode, headers: {}, body });

/** What docs/deploy.md says to set. A REST API passes on the bytes of these bodies, and reads others as UTF-8. */
const binaryMediaTypes = acceptedMediaTypes;

/** The event of a request in payload format 1.0: its path parameters are as they were sent. */
const toEvent = ({ headers, rawHeaders }: IncomingMessage, ids: object, bytes: Buffer) => {
  const values = rawHeaders.filter((_, place) => place % 2 === 1);
  const lists = Object.groupBy(values, (_, place) => rawHeaders[2 * place] ?? '');
  const last = Object.entries(lists).map(([name, all = []]) => [name, all.at(-1)]);
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  const isBase64Encoded = binaryMediaTypes.includes(type.trim().toLowerCase());
  return aRestEvent({
    ...ids,
    body: (isBase64Encoded ? base64(bytes) : bytes.toString()) || null,
    isBase64Encoded,
    extra: { headers: Object.fromEntries(last), multiValueHeaders: lists },
  });
};

/**
 * Starts a server that does what is documented of API Gateway's REST API with a Lambda proxy integration, or what others
 * have captured of it (docs/contract.md, Responses). It has the route of serverless.yml.
 *
 * @param invoke calls the function
 */
export const startRestApi = async (invoke: (event: unknown) => unknown) => {
  const respond = async (request: IncomingMessage): Promise<LambdaResponse> => {
    const bytes = await buffer(request);
    if (bytes.length > 10 * 1024 * 1024)
      return ofGateway(413, 'HTTP content length exceeded 10485760 bytes.');
    const method = request.headers['x-http-method-override'] ?? request.method;
    const ids = path.exec(request.url ?? '')?.groups;
    if (method !== 'PATCH' || ids === undefined)
      return ofGateway(403, '{"message":"Missing Authentication Token"}');
    return ResponseSchema.parse(await invoke(toEvent(request, ids, bytes)));
  };
  const server = createServer(async (request, response) => {
    const { statusCode, headers, body } = await respond(request);
    const { 'www-authenticate': renamed, ...others } = headers;
    response.writeHead(statusCode, {
      ...others,
      ...(renamed && { 'x-amzn-remapped-www-authenticate': renamed }),
    });
    response.end(body);
  });
  const port = await listen(server);
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
};
