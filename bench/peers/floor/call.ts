import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Item } from './attributes.ts';
import { signedHeaders } from './sign.ts';

const { AWS_ENDPOINT_URL_DYNAMODB, AWS_REGION = '' } = process.env;
const { protocol, hostname, host, port } = new URL(
  AWS_ENDPOINT_URL_DYNAMODB ?? `https://dynamodb.${AWS_REGION}.amazonaws.com`,
);
const isTls = protocol === 'https:';
const send = isTls ? httpsRequest : httpRequest;
const agent = isTls ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });

/** An answer of DynamoDB, as far as it is looked at. */
export type Reply = { readonly Item?: Item; readonly Attributes?: Item; readonly __type?: string };

/** One call of DynamoDB over a connection that is kept. */
export const call = (target: string, input: object): Promise<Reply> => {
  const body = JSON.stringify(input);
  const headers = { ...signedHeaders(host, target, body), 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const request = send({ agent, hostname, port, method: 'POST', path: '/', headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString())));
    });
    request.on('error', reject);
    request.end(body);
  });
};
