import type { KeyScope } from '@assay/domain';
import { checksum, hasRightChecksum, randomText } from './random-text.js';

const PREFIX: Readonly<Record<KeyScope, string>> = { project: 'hh_fgdp', ingest: 'hh_ingst' };
const SHAPE = /^hh_(fgdp|ingst)_([A-Za-z0-9]{24})_[A-Za-z0-9_-]{64}$/;
const ID_LENGTH = 24;
const SECRET_LENGTH = 58;

/** Shortest and longest text that is taken for a key that somebody else has made, in characters. */
export const MIN_FOREIGN_KEY_LENGTH = 20;
const MAX_KEY_LENGTH = 512;

/** What the text of a key says by itself. */
export type KeyText =
  | { readonly kind: 'issued'; readonly keyId: string; readonly scope: KeyScope }
  /** A key of any other shape: known only if the administrator has configured it. */
  | { readonly kind: 'foreign' }
  /** Cannot be a key: a typing mistake, or too short or too long. */
  | { readonly kind: 'refused' };

/** Reads the text of a key. Costs no look-up, so that what cannot be a key never causes one. */
export function readKeyText(text: string): KeyText {
  if (text.length < MIN_FOREIGN_KEY_LENGTH || text.length > MAX_KEY_LENGTH) return { kind: 'refused' };
  const [, prefix, keyId] = SHAPE.exec(text) ?? [];
  if (keyId === undefined) return { kind: 'foreign' };
  if (!hasRightChecksum(text)) return { kind: 'refused' };
  return { kind: 'issued', keyId, scope: prefix === 'fgdp' ? 'project' : 'ingest' };
}

/**
 * A new key: `hh_fgdp_` or `hh_ingst_`, 24 characters of id, `_`, 58 random characters (345 bits), 6 characters of CRC-32. This is
 * the shape that the public clients accept; the checksum lets secret scanners and us tell a key from a typing mistake.
 */
export function newKeyText(scope: KeyScope): { readonly keyId: string; readonly text: string } {
  const keyId = randomText(ID_LENGTH);
  const unchecked = `${PREFIX[scope]}_${keyId}_${randomText(SECRET_LENGTH)}`;
  return { keyId, text: unchecked + checksum(unchecked) };
}

export function newKeyId(): string {
  return randomText(ID_LENGTH);
}
