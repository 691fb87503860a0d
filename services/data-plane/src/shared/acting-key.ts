import type { ActingKey } from '@assay/control-plane-client';
import type { Caller } from '@assay/domain';
import type { RequestContext } from '@assay/http';

/** Who asks, as the control plane notes it. */
export function actingKey({
  caller: { keyId },
  requestId,
  origin: { address },
}: RequestContext<Caller>): ActingKey {
  return { keyId, requestId, address };
}
