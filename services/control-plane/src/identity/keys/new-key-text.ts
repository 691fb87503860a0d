import { withChecksum, type KeyScope } from '@assay/domain';
import { randomText } from '../../shared/random-text.js';

const PREFIX: Readonly<Record<KeyScope, string>> = { project: 'hh_fgdp', ingest: 'hh_ingst' };
const ID_LENGTH = 24;
const SECRET_LENGTH = 58;

/**
 * Mints a key: `hh_fgdp_` or `hh_ingst_`, 24 characters of id, `_`, 58 random characters (345 bits), 6 characters of
 * CRC-32. Public clients accept this shape. The checksum lets secret scanners and `readKeyText` recognise a mistyped key.
 */
export function newKeyText(scope: KeyScope): { readonly keyId: string; readonly text: string } {
  const keyId = newKeyId();
  return { keyId, text: withChecksum(`${PREFIX[scope]}_${keyId}_${randomText(SECRET_LENGTH)}`) };
}

export function newKeyId(): string {
  return randomText(ID_LENGTH);
}
