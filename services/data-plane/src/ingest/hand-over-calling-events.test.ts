import { randomUUID } from 'node:crypto';
import { acceptEvent, callingEventId, spanEventId, type Event } from '@assay/domain';
import type { ConsumedRecord, LogRecord } from '@assay/event-log';
import type { EventStore } from '@assay/event-store';
import { encodeEventRow } from '@assay/event-rows';
import { AppendedRecords } from '../../test/appended-records.js';
import { aReaderOf, consumed, NOW, openTestStore, PROJECT } from '../../test/store-batch-fixture.js';
import { HandOverLog } from './hand-over-log.js';

let store: EventStore;
let removeStore: () => Promise<void>;

beforeAll(async () => {
  ({ store, remove: removeStore } = await openTestStore());
});
afterAll(() => removeStore());

/** The events of a client and a server whose spans have one id, and an update of that event. */
function aCall() {
  const traceId = randomUUID().replaceAll('-', '');
  const spanId = '00f067aa0ba902b7';
  const id = spanEventId(PROJECT, traceId, spanId);
  const session = randomUUID();
  const context = { projectId: PROJECT, now: NOW, newId: () => id };
  const eventOf = (kind: string, start: number): Event => {
    const metadata = { otel: { trace_id: traceId, span_id: spanId, kind }, [kind]: true };
    const input = {
      event_type: 'chain' as const,
      event_name: kind,
      session_id: session,
      start_time: start,
      metadata,
    };
    return { ...acceptEvent(input, context).event, event_id: id };
  };
  const patch = Buffer.from(JSON.stringify({ feedback: { rating: 1 } }));
  return {
    id,
    session,
    client: () => created(eventOf('CLIENT', NOW)),
    server: () => created(eventOf('SERVER', NOW + 5)),
    update: () => consumed('patch', id, patch),
  };
}

const created = (event: Event) => consumed('event', event.event_id, encodeEventRow(event));

async function inSession(id: string): Promise<readonly Event[]> {
  const filters = [{ field: 'session_id', operator: 'is', type: 'string', value: id } as const];
  const { events } = await store.events.search(PROJECT, { filters, limit: 100, offset: 0, ordered: true });
  return [...events].sort((a, b) => a.start_time - b.start_time);
}

type Step = 'client' | 'server' | 'update';

describe('the events of a client and a server whose spans have one id', () => {
  it.each<[string, Step[][]]>([
    ['the client first', [['client'], ['server']]],
    ['the server first', [['server'], ['client']]],
    ['one batch', [['client', 'server']]],
    ['one batch, the server first', [['server', 'client']]],
    ['and are delivered again', [['client'], ['server'], ['client', 'server'], ['client'], ['server']]],
    ['with an update', [['client'], ['server'], ['update'], ['client']]],
  ])('are stored apart: %s', async (_, batches) => {
    const call = aCall();
    const log = new AppendedRecords(store);
    for (const batch of batches) {
      await log.reader()(batch.map((step) => call[step]()));
      await log.readAll();
    }
    const [client, server, ...others] = await inSession(call.session);
    expect(others).toEqual([]);
    expect(client).toMatchObject({
      event_id: callingEventId(call.id),
      parent_id: call.session,
      event_name: 'CLIENT',
      feedback: {},
      metadata: { CLIENT: true, serving_event_id: call.id },
    });
    expect(server).toMatchObject({
      event_id: call.id,
      parent_id: callingEventId(call.id),
      event_name: 'SERVER',
      metadata: { SERVER: true, calling_event_id: callingEventId(call.id) },
    });
    expect(server?.metadata['CLIENT']).toBeUndefined();
    expect(client?.metadata['SERVER']).toBeUndefined();
    expect(server?.feedback).toEqual(batches.flat().includes('update') ? { rating: 1 } : {});
  });

  it('are complete after the log was unavailable, and after a batch that was delivered again', async () => {
    const { session, id, ...call } = aCall();
    const [client, server] = [call.client(), call.server()];
    await aReaderOf(store)([client]);
    await expect(aReaderOf(store)([server])).rejects.toThrow();
    expect((await inSession(session)).map((event) => event.event_name)).toEqual(['CLIENT']);
    const log = new AppendedRecords(store);
    for (let delivery = 0; delivery < 2; delivery++) {
      await log.reader()([server]);
      await log.readAll();
    }
    expect((await inSession(session)).map((event) => event.event_id)).toEqual([callingEventId(id), id]);
  });
});

describe('the log that a reader appends to', () => {
  it('names its end after the last append, and stays unused without records', async () => {
    const appended: LogRecord[] = [];
    const log = new HandOverLog({
      append: (records) => Promise.resolve(void appended.push(...records)),
      end: () => Promise.resolve(new Map([[0, appended.length]])),
    });
    await log.append([]);
    expect([...log.end()]).toEqual([]);
    const record: ConsumedRecord = consumed('move', randomUUID());
    await log.append([record, record]);
    expect([...log.end()]).toEqual([[0, 2]]);
  });
});
