import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';

type Data = string | ArrayBuffer | ArrayBufferView;

const toBytes = (data: Data): Uint8Array => {
  if (typeof data === 'string') return Buffer.from(data);
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
};

/**
 * SHA-256, or HMAC-SHA-256 if there is a secret, as the SDK's signer calls them (docs/decisions/006). It is a class
 * because the signer calls `new`. A KeyObject and one call at the end are faster than a buffer and several calls.
 */
export class Sha256 {
  readonly #secret: KeyObject | undefined;
  readonly #parts: Uint8Array[] = [];

  constructor(secret?: Data) {
    this.#secret = secret === undefined ? undefined : createSecretKey(toBytes(secret));
  }

  update(data: Data): void {
    this.#parts.push(toBytes(data));
  }

  async digest(): Promise<Uint8Array> {
    const data = Buffer.concat(this.#parts);
    return this.#secret
      ? createHmac('sha256', this.#secret).update(data).digest()
      : hash('sha256', data, 'buffer');
  }
}
