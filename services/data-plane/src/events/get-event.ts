import type { getEvent } from '@assay/contracts';
import { canonicalUuid, toWireEvent } from '@assay/domain';
import { notFound } from '@assay/errors';
import type { Operation } from '@assay/http';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { respondByIdAfterWait } from '../freshness/respond-after-wait.js';
import { makeCompleteEvents } from '../sessions/complete-events.js';

/** Reads one event. Events of other projects are indistinguishable from missing ones. */
export function makeGetEvent(deps: DataPlaneDeps): Operation<typeof getEvent> {
  const completeEvents = makeCompleteEvents(deps);
  return ({ params, query }, context) => {
    const { caller, signal } = context;
    return respondByIdAfterWait(deps, context, async () => {
      const eventId = canonicalUuid(params.event_id);
      const found = await deps.store.events.findWithDerived(caller.projectId, eventId, {
        ...{ signal, mediaLinks: query.media === 'link' },
      });
      if (!found) throw notFound('there is no event with this event_id');
      const read = { events: [found.event], derived: found.derived };
      const [event = found.event] = await completeEvents(caller.projectId, read, { signal });
      return { event: toWireEvent(event, { name: caller.projectName }) };
    });
  };
}
