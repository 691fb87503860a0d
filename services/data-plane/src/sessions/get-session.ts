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
import type { DataPlaneDeps } from '../data-plane-deps.js';
import { respondAfterWait } from '../readers/respond-after-wait.js';
import { makeNamedPlaces } from './complete-events.js';
import { makeWithRollups } from './with-rollups.js';

/** Events of one tree at most, the session among them. */
const MAX_EVENTS = 7500;

/**
 * Reads a session as a tree of its events. A session of more than 7,500 events is refused: a search reads it in pages. An event's id that is no session's
 * answers the same as one that does not exist.
 */
export function makeGetSession(deps: DataPlaneDeps): Operation<typeof getSession> {
  const withRollups = makeWithRollups(deps);
  const namedPlaces = makeNamedPlaces(deps);
  return ({ params }, { caller, waitMs }) =>
    respondAfterWait(deps, waitMs, async () => {
      const sessionId = canonicalUuid(params.session_id);
      const events = await eventsOf(deps, caller.projectId, sessionId);
      const root = rootOf(sessionId, events);
      if (!root) throw notFound('there is no session with this session_id');
      const [[session = root], named] = await Promise.all([
        withRollups(caller.projectId, [root]),
        namedPlaces(caller.projectId, [root, ...events]),
      ]);
      const [shown, ...others] = withChildren([session, ...events], [...named, ...events.map(placeOf)]);
      const project = { name: caller.projectName };
      return sessionTree(
        toWireEvent(shown ?? session, project),
        others.map((event) => toWireEvent(event, project)),
      );
    });
}

function placeOf({ event_id: eventId, parent_id: parentId, start_time: startTime }: Event): TreePlace {
  return { eventId, parentId, startTime };
}

async function eventsOf(
  deps: DataPlaneDeps,
  projectId: string,
  sessionId: string,
): Promise<readonly Event[]> {
  const filters = [{ field: 'session_id', operator: 'is', type: 'string', value: sessionId } as const];
  const { events, total } = await deps.store.search(projectId, {
    filters,
    limit: MAX_EVENTS,
    offset: 0,
    ordered: false,
  });
  if (total > MAX_EVENTS)
    throw validationError(
      `the session has more than ${MAX_EVENTS} events: find them in pages by their session_id`,
    );
  return events;
}

/** The event of the session; until that is stored, what its events say of it. */
function rootOf(sessionId: string, events: readonly Event[]): Event | undefined {
  const [first, ...rest] = events;
  return (
    events.find(({ event_id: id }) => id === sessionId) ?? (first && synthesiseSession([first, ...rest]))
  );
}
