import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** 62 ** 43 is just above 2 ** 256. */
const keyCharacters = 43;
const checksumCharacters = 6;
const keyIdCharacters = 12;

/**
 * A new API key, `sfk_<43 random characters><6 of checksum>`: the prefix and the checksum let secret scanners know a
 * leaked one from a chance match (https://github.blog/engineering/behind-githubs-new-authentication-token-formats/).
 */
export const generateKey = (): string => {
  const start = `sfk_${randomText(keyCharacters)}`;
  return start + checksumOf(start);
};

/** A new name for a key, safe to show. It says nothing about the key. */
export const generateKeyId = (): string => `key_${randomText(keyIdCharacters)}`;

/** CRC-32 in base 62, six characters. */
export const checksumOf = (text: string): string => {
  let rest = crc32(text);
  let digits = '';
  for (let count = 0; count < checksumCharacters; count += 1) {
    digits = alphabet.charAt(rest % alphabet.length) + digits;
    rest = Math.floor(rest / alphabet.length);
  }
  return digits;
};

const randomText = (length: number): string =>
  Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
