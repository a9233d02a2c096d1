import { createHash, createHmac } from 'node:crypto';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

const {
  AWS_ACCESS_KEY_ID = '',
  AWS_SECRET_ACCESS_KEY = '',
  AWS_SESSION_TOKEN,
  AWS_REGION = '',
} = process.env;

/** Good for a day, as the SDK keeps it too. */
let known: { readonly scope: string; readonly key: string | Buffer } | undefined;
const keyOf = (scope: string): string | Buffer => {
  if (known?.scope !== scope)
    known = {
      scope,
      key: scope.split('/').reduce<string | Buffer>(hmac, `AWS4${AWS_SECRET_ACCESS_KEY}`),
    };
  return known.key;
};

/** Signature Version 4 for a POST of JSON to DynamoDB: the headers to send. */
export const signedHeaders = (host: string, target: string, body: string): Record<string, string> => {
  const time = new Date().toISOString().replace(/[-:]|\.\d{3}/g, '');
  const scope = `${time.slice(0, 8)}/${AWS_REGION}/dynamodb/aws4_request`;
  const headers: Record<string, string> = {
    'content-type': 'application/x-amz-json-1.0',
    host,
    'x-amz-date': time,
    ...(AWS_SESSION_TOKEN !== undefined && { 'x-amz-security-token': AWS_SESSION_TOKEN }),
    'x-amz-target': `DynamoDB_20120810.${target}`,
  };
  const names = Object.keys(headers).join(';');
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`);
  const request = `POST\n/\n\n${lines.join('')}\n${names}\n${sha256(body)}`;
  const text = `AWS4-HMAC-SHA256\n${time}\n${scope}\n${sha256(request)}`;
  const signature = createHmac('sha256', keyOf(scope)).update(text).digest('hex');
  const authorization = `AWS4-HMAC-SHA256 Credential=${AWS_ACCESS_KEY_ID}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
  return { ...headers, authorization };
};
