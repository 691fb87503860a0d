import { crc32 } from 'node:zlib';
import type { KeyScope } from './caller.js';

const SHAPE = /^hh_(fgdp|ingst)_([A-Za-z0-9]{24})_[A-Za-z0-9_-]{64}$/;
const MIN_KEY_LENGTH = 20;
const MAX_KEY_LENGTH = 512;

const CHECKSUM_DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const CHECKSUM_LENGTH = 6;

/** What the text of a key shows without a look-up. */
export type KeyText =
  | { readonly kind: 'issued'; readonly keyId: string; readonly scope: KeyScope }
  /** A key of any other shape, which exists only if the administrator has configured it. */
  | { readonly kind: 'foreign' }
  /** Cannot be a key: mistyped, too short or too long. */
  | { readonly kind: 'refused' };

/** Reads the text of a key. It costs no look-up, so text that cannot be a key never causes one. */
export function readKeyText(text: string): KeyText {
  if (text.length < MIN_KEY_LENGTH || text.length > MAX_KEY_LENGTH) return { kind: 'refused' };
  const [, prefix, keyId] = SHAPE.exec(text) ?? [];
  if (keyId === undefined) return { kind: 'foreign' };
  if (!endsWithChecksum(text)) return { kind: 'refused' };
  return { kind: 'issued', keyId, scope: prefix === 'fgdp' ? 'project' : 'ingest' };
}

/** Returns the text followed by its checksum: CRC-32 as six digits of base 62, which hold every value. */
export function withChecksum(text: string): string {
  return text + checksum(text);
}

/** Returns whether the last six characters are the checksum of the characters before them. */
export function endsWithChecksum(text: string): boolean {
  const end = text.length - CHECKSUM_LENGTH;
  return checksum(text.slice(0, end)) === text.slice(end);
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let n = 0; n < CHECKSUM_LENGTH; n++) {
    digits = CHECKSUM_DIGITS.charAt(rest % CHECKSUM_DIGITS.length) + digits;
    rest = Math.floor(rest / CHECKSUM_DIGITS.length);
  }
  return digits;
}
