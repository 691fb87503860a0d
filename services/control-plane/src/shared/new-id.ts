import { randomBytes } from 'node:crypto';

/** 24 hexadecimal digits, 96 random bits. */
export function newId(): string {
  return randomBytes(12).toString('hex');
}
