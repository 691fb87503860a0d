import { randomUUID } from 'node:crypto';
import { encodeEvaluations } from '@assay/contracts';
import { acceptEvent, pendingEvaluation, type Evaluation, type Event } from '@assay/domain';
import type { ConsumedRecord } from '@assay/event-log';
import type { EventStore } from '@assay/event-store';
import { encodeEventRow } from '@assay/event-rows';
import { aReaderOf, consumed, NOW, openTestStore, PROJECT } from '../../test/store-batch-fixture.js';

let store: EventStore;
let removeStore: () => Promise<void>;

beforeAll(async () => {
  ({ store, remove: removeStore } = await openTestStore());
});
afterAll(() => removeStore());

const aReader = () => aReaderOf(store);
const metric = { id: 'metric', version: 'v1', name: 'accuracy' };
const pending = (trigger = 1) => pendingEvaluation(metric, { fingerprint: 'f', trigger, decidedAt: NOW });

function anEvent(): Event {
  const context = { projectId: PROJECT, now: NOW, newId: randomUUID };
  return acceptEvent({ event_type: 'model', inputs: {} }, context).event;
}

function evaluated(event: Event, ...evaluations: Evaluation[]): ConsumedRecord {
  const { event_id: eventId, session_id: sessionId } = event;
  const { value } = encodeEvaluations({ projectId: PROJECT, eventId }, { sessionId, evaluations });
  return consumed('evaluation', eventId, value);
}

const created = (event: Event) => consumed('event', event.event_id, encodeEventRow(event));
const evaluationsOf = async ({ event_id: eventId }: Event) =>
  (await store.states.evaluations([{ projectId: PROJECT, eventId }])).get(`${PROJECT}/${eventId}`) ?? [];

describe('evaluations on the log', () => {
  it('are stored with their partition, and leave the event as it is', async () => {
    const event = anEvent();
    await aReader()([created(event), evaluated(event, pending())]);
    expect(await evaluationsOf(event)).toEqual([pending()]);
    const { events } = await store.events.search(PROJECT, {
      filters: [],
      limit: 9,
      offset: 0,
      ordered: false,
    });
    expect(events).toEqual([event]);
    const waiting = await store.states.pendingEvaluations({ partitions: [0], perProject: 10, limit: 10 });
    expect(waiting.map(({ eventId }) => eventId)).toEqual([event.event_id]);
  });

  it('are the same after a batch is read again, and no result is undone', async () => {
    const event = anEvent();
    const scored: Evaluation = { ...pending(), decision: 'scored', value: 1 };
    const batch = [created(event), evaluated(event, pending()), evaluated(event, scored)];
    await aReader()(batch);
    await aReader()(batch);
    await aReader()(batch.slice(1, 2));
    expect(await evaluationsOf(event)).toEqual([scored]);
  });

  it('go with their event, whichever is stored first', async () => {
    const [before, after] = [anEvent(), anEvent()];
    const deletion = (event: Event) => consumed('delete', event.event_id);
    await aReader()([created(before), evaluated(before, pending())]);
    await aReader()([deletion(before), created(after), deletion(after)]);
    await aReader()([evaluated(before, pending(2)), evaluated(after, pending())]);
    expect([await evaluationsOf(before), await evaluationsOf(after)]).toEqual([[], []]);
  });

  it('go with the session of their event, whichever is stored first', async () => {
    const [before, after] = [anEvent(), anEvent()];
    await aReader()([created(before), evaluated(before, pending())]);
    await aReader()([consumed('delete', before.session_id), consumed('delete', after.session_id)]);
    await aReader()([created(after), evaluated(after, pending())]);
    expect([await evaluationsOf(before), await evaluationsOf(after)]).toEqual([[], []]);
  });
});
