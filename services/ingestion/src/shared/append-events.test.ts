import { randomUUID } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Caller } from '@assay/domain';
import { storeBatch } from '../events/create-event-batch.js';
import { makeWithIdempotency } from '../idempotency/with-idempotency.js';
import { makeAppendEvents } from './append-events.js';
import { SessionCache } from './session-cache.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const CALLER = { projectId: 'p', projectName: 'p' } as Caller;

/** Ingestion on a log that collects garbage before its records are durable, and tells then whether an object is alive. */
function anIngestion() {
  let watched = new WeakRef<object>({});
  const whileSyncing: boolean[] = [];
  const log = {
    append: async () => {
      await new Promise((resume) => setImmediate(resume));
      collectGarbage();
      whileSyncing.push(watched.deref() !== undefined);
    },
  };
  const appendEvents = makeAppendEvents({ log, knownSessions: new SessionCache(10) });
  const withIdempotency = makeWithIdempotency({
    now: () => 1_790_000_000_000,
    newId: randomUUID,
    claimRequest: ({ content, at }) => Promise.resolve({ content, at }),
  });
  const request = { caller: CALLER, headers: {}, operation: 'createEventBatch', content: undefined };
  const store = () => {
    const inputs = { question: 'why' };
    watched = new WeakRef(inputs);
    const events = [{ event_type: 'tool' as const, inputs }];
    return storeBatch({ log, appendEvents, withIdempotency }, request, { events });
  };
  return { store, whileSyncing };
}

describe('events that are appended', () => {
  it('are not kept while the log syncs', async () => {
    const { store, whileSyncing } = anIngestion();
    for (let index = 0; index < 3; index++) await store();
    expect(whileSyncing).toEqual([false, false, false]);
  });
});
