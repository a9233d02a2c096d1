import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Complaint } from '#local/complaint.ts';

/** The path of the embedded engine. Throws a Complaint where its package is not installed for the platform. */
export const engineBinary = (platform: string = process.platform, arch: string = process.arch): string => {
  const packageName = `@dynoxide/${platform}-${arch}`;
  try {
    const manifest = createRequire(import.meta.url).resolve(`${packageName}/package.json`);
    return join(dirname(manifest), platform === 'win32' ? 'dynoxide.exe' : 'dynoxide');
  } catch (error) {
    throw new Complaint(
      `The embedded DynamoDB engine is not installed for ${platform}-${arch}: install ${packageName} where it exists, ` +
        'or set AWS_ENDPOINT_URL_DYNAMODB to any DynamoDB endpoint, DynamoDB Local for one.',
      { cause: error },
    );
  }
};
