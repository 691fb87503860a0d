import { randomUUID } from 'node:crypto';
import { acceptEvent, spanEventId, withLogContent, type Event } from '@assay/domain';
import type { EventStore } from '@assay/event-store';
import { encodeEventRow } from '@assay/event-rows';
import { AppendedRecords } from '../../test/appended-records.js';
import { aReaderOf, consumed, NOW, openTestStore, PROJECT } from '../../test/store-batch-fixture.js';

let store: EventStore;
let removeStore: () => Promise<void>;

beforeAll(async () => {
  ({ store, remove: removeStore } = await openTestStore());
});
afterAll(() => removeStore());

function aSpan() {
  const traceId = randomUUID().replaceAll('-', '');
  const derived = spanEventId(PROJECT, traceId, '00f067aa0ba902b7');
  const context = { projectId: PROJECT, now: NOW, newId: randomUUID };
  const session = randomUUID();
  const { event } = acceptEvent({ event_type: 'model', session_id: session }, context);
  const logEvent = (text: string): Event => {
    const message = { role: 'user', content: text };
    const messages = new Map([[`${text}.0`, { order: `2${text.length}`, message }]]);
    const own: Event = { ...event, event_id: derived, origin: 'synthesised' };
    return withLogContent({
      own,
      log: { messages, choices: new Map(), events: new Map(), values: new Map(), severities: [] },
    });
  };
  return { event, derived, session, logs: [created(logEvent('a')), created(logEvent('bb'))] as const };
}

const created = (event: Event) => consumed('event', event.event_id, encodeEventRow(event));
const moved = (from: string, to: string, sessions: string[]) =>
  consumed('move', from, Buffer.from(JSON.stringify({ to, sessions })));
const contents = async (eventId: string) => {
  const history = (await store.events.find(PROJECT, eventId))?.inputs['chat_history'];
  return (history as { content: string }[] | undefined)?.map(({ content }) => content);
};

describe('log events of a span that sets its own event id', () => {
  it.each([
    ['before the span', [0, 1, 'move', 'span']],
    ['after the span', ['span', 'move', 0, 1]],
    ['before and after it', [0, 'span', 'move', 1]],
    ['and are delivered again', [0, 'move', 0, 'span', 1, 'move', 1, 0]],
  ] as const)('arrive %s and complete its event', async (_title, order) => {
    const { event, derived, session, logs } = aSpan();
    const move = moved(derived, event.event_id, [session]);
    const records = { 0: logs[0], 1: logs[1], move, span: created(event) };
    const log = new AppendedRecords(store);
    for (const step of order) {
      await log.reader()([records[step]]);
      await log.readAll();
    }
    expect(await contents(event.event_id)).toEqual(['a', 'bb']);
    expect(await store.events.find(PROJECT, derived)).toBeUndefined();
  });

  it('are handed over by one batch that has all records', async () => {
    const { event, derived, session, logs } = aSpan();
    const log = new AppendedRecords(store);
    const batch = [...logs, moved(derived, event.event_id, [session]), created(event)];
    for (let delivery = 0; delivery < 2; delivery++) {
      await log.reader()(batch);
      await log.readAll();
    }
    expect(await contents(event.event_id)).toEqual(['a', 'bb']);
    expect(await store.events.find(PROJECT, derived)).toBeUndefined();
  });

  it('are handed over after the log was unavailable', async () => {
    const { event, derived, session, logs } = aSpan();
    const move = moved(derived, event.event_id, [session]);
    await aReaderOf(store)([logs[0]]);
    await expect(aReaderOf(store)([move])).rejects.toThrow();
    expect(await contents(derived)).toEqual(['a']);
    const log = new AppendedRecords(store);
    await log.reader()([move]);
    await log.readAll();
    expect([await contents(event.event_id), await contents(derived)]).toEqual([['a'], undefined]);
  });

  it('stay where they are when moves form a circle', async () => {
    const [one, other] = [aSpan(), aSpan()];
    const log = new AppendedRecords(store);
    await log.reader()([
      moved(one.derived, other.derived, [one.session]),
      moved(other.derived, one.derived, [one.session]),
    ]);
    await log.reader()([one.logs[0]]);
    await log.readAll();
    expect(await contents(one.derived)).toEqual(['a']);
  });
});
