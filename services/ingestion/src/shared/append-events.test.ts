import { randomUUID } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Caller } from '@assay/domain';
import { DEFAULT_PRICES } from '@assay/otlp';
import { storeBatch } from '../events/create-event-batch.js';
import type { CreateRequest } from '../idempotency/with-idempotency.js';
import { makeCreateEvent } from '../events/create-event.js';
import { makeWithIdempotency } from '../idempotency/with-idempotency.js';
import { RejectionLog } from '../rejections/rejection-log.js';
import { makeExportLogs } from '../traces/export-logs.js';
import { makeExportTraces } from '../traces/export-traces.js';
import { TraceSessions } from '../traces/trace-sessions.js';
import { makeAppendEvents, type AppendEvents } from './append-events.js';
import { SessionCache } from './session-cache.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const CALLER = { projectId: 'p', projectName: 'p' } as Caller;
const NOW = 1_790_000_000_000;
const SPAN = { traceId: '5b8efff798038103d269b633813fc60c', spanId: 'eee19b7ec3c1b174' };

/** Ingestion on a log that collects garbage before its records are durable, and counts then the watched objects that are alive. */
function anIngestion() {
  let watched: WeakRef<object>[] = [];
  const whileSyncing: { readonly watched: number; readonly alive: number }[] = [];
  const watch = <T extends object>(object: T): T => {
    watched.push(new WeakRef(object));
    return object;
  };
  const log = {
    append: async () => {
      await new Promise((resume) => setImmediate(resume));
      collectGarbage();
      const alive = watched.filter((one) => one.deref() !== undefined).length;
      whileSyncing.push({ watched: watched.length, alive });
      watched = [];
    },
  };
  const append = makeAppendEvents({ log, knownSessions: new SessionCache(10) });
  const appendEvents: AppendEvents = (events, yieldToEventLoop) => {
    for (const { event } of events.accepted) watch(event);
    return append(events, yieldToEventLoop);
  };
  const now = () => NOW;
  const withIdempotency = makeWithIdempotency({
    now,
    newId: randomUUID,
    claimRequest: ({ content, at }) => Promise.resolve({ content, at }),
  });
  const deps = {
    ...{ log, appendEvents, withIdempotency, now, prices: () => DEFAULT_PRICES },
    ...{ traceSessions: new TraceSessions(10), rejections: new RejectionLog(now) },
  };
  return { deps, watch, whileSyncing };
}
type Ingestion = ReturnType<typeof anIngestion>;

function anEvent({ watch }: Ingestion) {
  return { event_type: 'tool' as const, inputs: watch({ question: 'why' }) };
}

function aContext<Context>(): Context {
  return { caller: CALLER, headers: {}, yieldToEventLoop: () => undefined } as Context;
}

function aBody({ watch }: Ingestion, content: object) {
  const body = watch(Buffer.from(JSON.stringify(content)));
  return { body, contentType: 'application/json' as const, params: {} };
}

/** Requests by route, which each watch one object of the request and one event. */
const REQUESTS: [route: string, send: (ingestion: Ingestion) => Promise<unknown>][] = [
  [
    'a batch',
    (ingestion) => {
      const context = aContext<Pick<CreateRequest, 'caller' | 'headers' | 'yieldToEventLoop'>>();
      const request = { ...context, operation: 'createEventBatch', content: undefined };
      return storeBatch(ingestion.deps, request, { events: [anEvent(ingestion)] });
    },
  ],
  [
    'a single event',
    (ingestion) => {
      const body = anEvent(ingestion);
      return makeCreateEvent(ingestion.deps)({ params: {}, query: {}, body }, aContext());
    },
  ],
  [
    'spans by OTLP',
    (ingestion) => {
      const spans = [{ ...SPAN, name: 'chat', startTimeUnixNano: '1790000000000000000' }];
      const request = aBody(ingestion, { resourceSpans: [{ scopeSpans: [{ spans }] }] });
      return makeExportTraces(ingestion.deps)(request, aContext());
    },
  ],
  [
    'log events by OTLP',
    (ingestion) => {
      const content = { kvlistValue: { values: [{ key: 'content', value: { stringValue: 'why?' } }] } };
      const logRecords = [{ ...SPAN, eventName: 'gen_ai.user.message', body: content }];
      const request = aBody(ingestion, { resourceLogs: [{ scopeLogs: [{ logRecords }] }] });
      return makeExportLogs(ingestion.deps)(request, aContext());
    },
  ],
];

describe('events that are appended', () => {
  it.each(REQUESTS)('are not kept while the log syncs, nor is the request: %s', async (_route, send) => {
    const ingestion = anIngestion();
    for (let index = 0; index < 3; index++) await send(ingestion);
    expect(ingestion.whileSyncing).toEqual(Array(3).fill({ watched: 2, alive: 0 }));
  });
});
