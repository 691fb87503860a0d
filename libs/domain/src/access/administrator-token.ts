import { endsWithChecksum, withChecksum } from './key-text.js';

const PREFIX = 'assay_adm_';
const SHAPE = /^assay_adm_([A-Za-z0-9]{24})_[A-Za-z0-9]{64}$/;

/** Returns the token of an administrator: its prefix, the id of 24 characters, `_`, a secret of 58 characters, 6 characters of CRC-32. */
export function administratorToken(id: string, secret: string): string {
  return withChecksum(`${PREFIX}${id}_${secret}`);
}

/** Returns the id that the token of a named administrator names; undefined for any other text. Costs no look-up. */
export function administratorIdIn(text: string): string | undefined {
  if (!text.startsWith(PREFIX)) return undefined;
  const id = SHAPE.exec(text)?.[1];
  return id !== undefined && endsWithChecksum(text) ? id : undefined;
}
