import { randomUUID } from 'node:crypto';
import { withTotals, type Event } from '@assay/domain';
import type { EventStore } from '../src/event-store.js';
import { NEW_YEAR, newProject, sampleEvent, writeEvents } from './event-fixture.js';
import { randomFrom } from '@assay/event-rows/test/random-fixture';

/** Returns a session without an end of its own, unless the fields have one. */
export function newSession(projectId: string, fields: Partial<Event>): Event {
  const id = randomUUID();
  return sampleEvent({
    project_id: projectId,
    event_id: id,
    session_id: id,
    event_type: 'session',
    end_time: null,
    duration: null,
    ...fields,
  });
}

/** Writes 20 random sessions with up to three events each, and returns them as they are stored and as responses contain them. */
export async function writeRandomSessions(store: EventStore) {
  const seed = Date.now() % 1_000_000;
  const random = randomFrom(seed);
  const maybe = <T>(value: T) => (random() < 0.5 ? value : null);
  const whole = (below: number) => Math.floor(random() * below);
  const project_id = newProject();
  const sessions = Array.from({ length: 20 }, () =>
    newSession(project_id, {
      origin: random() < 0.5 ? 'sent' : 'synthesised',
      start_time: NEW_YEAR + whole(10),
      end_time: maybe(NEW_YEAR + whole(40)),
      duration: maybe(whole(10)),
      metadata: { cost: maybe(whole(4)), total_tokens: maybe('3'), num_events: 77 },
    }),
  );
  const children = sessions.flatMap(({ session_id }) =>
    Array.from({ length: whole(4) }, () =>
      sampleEvent({
        project_id,
        session_id,
        event_type: random() < 0.7 ? 'model' : 'tool',
        start_time: NEW_YEAR + whole(20),
        end_time: maybe(NEW_YEAR + whole(60)),
        duration: maybe(whole(30)),
        metadata: {
          cost: whole(3),
          prompt_tokens: whole(3),
          completion_tokens: whole(3),
          total_tokens: whole(6),
        },
        feedback: random() < 0.3 ? { rating: 1 } : {},
        error: random() < 0.3 ? 'failed' : null,
      }),
    ),
  );
  await writeEvents(store, [...sessions, ...children]);
  const ids = sessions.map(({ session_id }) => session_id);
  const totals = await store.sessions.rollups(project_id, ids);
  const returned = [...sessions.map((one) => withTotals(one, totals.get(one.session_id))), ...children];
  return { seed, random, project_id, stored: [...sessions, ...children], returned };
}
