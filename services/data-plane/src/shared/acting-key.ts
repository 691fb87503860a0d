import type { ActingKey } from '@assay/control-plane-client';
import type { Caller } from '@assay/domain';
import type { RequestContext } from '@assay/http';

/** Returns the key and request that an operation acts for, as the control plane records them. */
export function actingKey({
  caller: { keyId },
  requestId,
  origin: { address, identity },
}: RequestContext<Caller>): ActingKey {
  return { keyId, requestId, address, ...(identity !== undefined && { identity }) };
}
