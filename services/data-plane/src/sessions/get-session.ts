import type { getSession } from '@assay/contracts';
import {
  canonicalUuid,
  sessionTree,
  synthesiseSession,
  toWireEvent,
  withChildren,
  withTotals,
  type Event,
  type TreePlace,
} from '@assay/domain';
import type { QueryOptions, WholeSession } from '@assay/event-store';
import { notFound, validationError } from '@assay/errors';
import type { Operation } from '@assay/http';
import { respondByIdAfterWait } from '../freshness/respond-after-wait.js';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { makeTreePlacesOfNamed } from './complete-events.js';

/** Maximum events of one tree, including the session. */
const MAX_EVENTS = 7500;

/**
 * Reads a session as a tree of its events. A session of more than 7,500 events is rejected; a search reads it
 * in pages. The id of an event that is not a session is indistinguishable from a missing one.
 */
export function makeGetSession(deps: DataPlaneDeps): Operation<typeof getSession> {
  const treePlacesOfNamed = makeTreePlacesOfNamed(deps);
  return ({ params }, context) => {
    const { caller, signal } = context;
    return respondByIdAfterWait(deps, context, async () => {
      const sessionId = canonicalUuid(params.session_id);
      const { events, rollup } = await readSession(deps, caller.projectId, sessionId, { signal });
      const root = rootOf(sessionId, events);
      if (!root) throw notFound('there is no session with this session_id');
      const session = root.event_type === 'session' ? withTotals(root, rollup) : root;
      const named = await treePlacesOfNamed(caller.projectId, [root, ...events], { signal });
      const positions = [...named, ...events.map(treePlaceOf)];
      const [completed = session, ...others] = withChildren([session, ...events], positions);
      const project = { name: caller.projectName };
      return sessionTree(
        toWireEvent(completed, project),
        others.map((event) => toWireEvent(event, project)),
      );
    });
  };
}

function treePlaceOf({ event_id: eventId, parent_id: parentId, start_time: startTime }: Event): TreePlace {
  return { eventId, parentId, startTime };
}

async function readSession(
  deps: DataPlaneDeps,
  projectId: string,
  sessionId: string,
  options: QueryOptions,
): Promise<WholeSession> {
  const session = await deps.store.sessions.read(projectId, sessionId, MAX_EVENTS, options);
  if (session) return session;
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
