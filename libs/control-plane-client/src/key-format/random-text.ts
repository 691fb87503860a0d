import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Characters of {@link checksum}. */
export const CHECKSUM_LENGTH = 6;

/** Random digits of base 62. */
export function randomText(length: number): string {
  return Array.from({ length }, () => DIGITS[randomInt(DIGITS.length)]).join('');
}

/** CRC-32 in base 62; six digits hold every value. */
export function checksum(text: string): string {
  let rest = crc32(text);
  const digits: (string | undefined)[] = [];
  for (let n = 0; n < CHECKSUM_LENGTH; n++) {
    digits.unshift(DIGITS[rest % DIGITS.length]);
    rest = Math.floor(rest / DIGITS.length);
  }
  return digits.join('');
}

/** Whether the text ends with the checksum of what stands before it. */
export function hasRightChecksum(text: string): boolean {
  const end = text.length - CHECKSUM_LENGTH;
  return checksum(text.slice(0, end)) === text.slice(end);
}
