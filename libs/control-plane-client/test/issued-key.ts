import { randomBytes } from 'node:crypto';
import { withChecksum, type KeyScope } from '@assay/domain';

/** Returns a key in the shape of issued ones, with a valid checksum. No control plane knows it. */
export function issuedKey(scope: KeyScope): { readonly keyId: string; readonly text: string } {
  const keyId = randomBytes(12).toString('hex');
  const secret = randomBytes(29).toString('hex');
  return { keyId, text: withChecksum(`${scope === 'project' ? 'hh_fgdp' : 'hh_ingst'}_${keyId}_${secret}`) };
}
