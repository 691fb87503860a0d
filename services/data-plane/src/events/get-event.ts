import type { getEvent } from '@assay/contracts';
import { canonicalUuid, toWireEvent } from '@assay/domain';
import { notFound } from '@assay/errors';
import type { Operation } from '@assay/http';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { respondAfterWait } from '../freshness/respond-after-wait.js';
import { makeCompleteEvents } from '../sessions/complete-events.js';

/** Reads one event. Events of other projects are indistinguishable from missing ones. */
export function makeGetEvent(deps: DataPlaneDeps): Operation<typeof getEvent> {
  const completeEvents = makeCompleteEvents(deps);
  return ({ params }, context) => {
    const { caller, waitMs } = context;
    return respondAfterWait(deps, waitMs, async () => {
      const { signal } = context;
      const found = await deps.store.find(caller.projectId, canonicalUuid(params.event_id), { signal });
      if (!found) throw notFound('there is no event with this event_id');
      const [event = found] = await completeEvents(caller.projectId, [found], { signal });
      return { event: toWireEvent(event, { name: caller.projectName }) };
    });
  };
}
