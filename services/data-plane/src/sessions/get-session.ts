import type { getSession } from '@assay/contracts';
import {
  canonicalUuid,
  sessionTree,
  synthesiseSession,
  toWireEvent,
  withChildren,
  type Event,
  type TreePlace,
} from '@assay/domain';
import { notFound, validationError } from '@assay/errors';
import type { Operation } from '@assay/http';
import { respondAfterWait } from '../freshness/respond-after-wait.js';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { makeTreePlacesOfNamed, makeWithRollups } from './complete-events.js';

/** Maximum events of one tree, including the session. */
const MAX_EVENTS = 7500;

/**
 * Reads a session as a tree of its events. A session of more than 7,500 events is rejected; a search reads it
 * in pages. The id of an event that is not a session is indistinguishable from a missing one.
 */
export function makeGetSession(deps: DataPlaneDeps): Operation<typeof getSession> {
  const withRollups = makeWithRollups(deps);
  const treePlacesOfNamed = makeTreePlacesOfNamed(deps);
  return ({ params }, { caller, waitMs }) =>
    respondAfterWait(deps, waitMs, async () => {
      const sessionId = canonicalUuid(params.session_id);
      const events = await eventsOf(deps, caller.projectId, sessionId);
      const root = rootOf(sessionId, events);
      if (!root) throw notFound('there is no session with this session_id');
      const [[session = root], named] = await Promise.all([
        withRollups(caller.projectId, [root]),
        treePlacesOfNamed(caller.projectId, [root, ...events]),
      ]);
      const positions = [...named, ...events.map(treePlaceOf)];
      const [completed = session, ...others] = withChildren([session, ...events], positions);
      const project = { name: caller.projectName };
      return sessionTree(
        toWireEvent(completed, project),
        others.map((event) => toWireEvent(event, project)),
      );
    });
}

function treePlaceOf({ event_id: eventId, parent_id: parentId, start_time: startTime }: Event): TreePlace {
  return { eventId, parentId, startTime };
}

async function eventsOf(
  deps: DataPlaneDeps,
  projectId: string,
  sessionId: string,
): Promise<readonly Event[]> {
  const filters = [{ field: 'session_id', operator: 'is', type: 'string', value: sessionId } as const];
  const query = { filters, limit: MAX_EVENTS, offset: 0, ordered: false };
  const { events, total } = await deps.store.search(projectId, query);
  if (total <= MAX_EVENTS) return events;
  throw validationError(
    `the session has more than ${MAX_EVENTS} events: search for them by session_id, in pages`,
  );
}

/** Returns the stored event of the session, or a session synthesised from its events until that is stored. */
function rootOf(sessionId: string, events: readonly Event[]): Event | undefined {
  const [first, ...rest] = events;
  return (
    events.find(({ event_id: id }) => id === sessionId) ?? (first && synthesiseSession([first, ...rest]))
  );
}
