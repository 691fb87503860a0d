import { randomBytes } from 'node:crypto';

/** Returns a random id of 24 hexadecimal digits (96 bits). */
export function newId(): string {
  return randomBytes(12).toString('hex');
}
