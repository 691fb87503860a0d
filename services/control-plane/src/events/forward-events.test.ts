import { forwardedEvent } from '@assay/control-plane-client/test/control-plane-contract';
import { NO_REDACTION, redactEvent } from '@assay/domain';
import { type StartedControlPlane, startControlPlane } from '../started-control-plane.fixture.js';
import { makeForwardEvents } from './forward-events.js';
import {
  EVENT_ENTRIES,
  type EventEntries,
  type EventEntryFields,
  entryId,
  type ToldEvent,
} from './indexed-event.js';

const PROJECT = 'p1';

/** The same collection, and the calls that it was asked for. */
function watching(records: EventEntries) {
  const asked: string[] = [];
  const watched = new Proxy(records, {
    get(target, name) {
      asked.push(String(name));
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  return { watched, asked };
}

describe('what the control plane keeps of an event', () => {
  let started: StartedControlPlane;
  let events: EventEntries;
  beforeEach(async () => {
    started = await startControlPlane();
    events = await started.documents.collection<EventEntryFields>(EVENT_ENTRIES);
  });
  afterEach(() => started.stop());

  const entryOf = ({ event }: ToldEvent) => events.get(entryId(PROJECT, event.event_id));
  const tell = (...told: ToldEvent[]) => started.controlPlane.forwardEvents(told);

  it('is a closed list of fields, and of inputs and outputs the structure alone, even of values that were forwarded', async () => {
    const told = forwardedEvent(PROJECT, 7);
    const values = {
      inputs: { q: 'secret', n: [1, { deep: true }] },
      metadata: { kept: 'yes' },
      more: 'dropped',
    };
    const event = redactEvent({ ...told.event, ...values }, NO_REDACTION);
    await tell({ ...told, event });
    const { id, version, ...entry } = (await entryOf(told))!;
    expect([id, version]).toEqual([`${PROJECT}:${event.event_id}`, 1]);
    const { children_ids: _children, origin: _origin, ...leaving } = event;
    const structure = { inputs: { q: '', n: [0, { deep: false }] } };
    expect(entry).toEqual({
      ...leaving,
      ...structure,
      arrived_at: told.arrivedAt,
      event_version: 7,
      deleted: false,
    });
  });

  it('is written once, however often it is told', async () => {
    const told = forwardedEvent(PROJECT, 7);
    for (let time = 0; time < 3; time++) await tell({ ...told, arrivedAt: told.arrivedAt + time });
    expect((await entryOf(told))?.version).toBe(1);
  });

  it('is the last that was told of a version, because the first may have been read while it was written', async () => {
    const told = forwardedEvent(PROJECT, 7);
    await tell(told);
    await tell({ ...told, event: redactEvent({ ...told.event, metrics: { late: 1 } }, NO_REDACTION) });
    expect(await entryOf(told)).toMatchObject({ metrics: { late: 1 } });
  });

  it('is a mark without any field once the event is deleted', async () => {
    const told = forwardedEvent(PROJECT, 7, { event_name: 'gone' });
    await tell(told);
    const ids = { projectId: PROJECT, eventId: told.event.event_id };
    await started.controlPlane.forwardEvents([{ kind: 'delete', version: 9, ...ids }]);
    const { id: _id, version: _version, ...mark } = (await entryOf(told))!;
    expect(mark).toEqual({ project_id: PROJECT, event_id: ids.eventId, event_version: 9, deleted: true });
  });

  it('costs as few round trips for hundreds of events as for one', async () => {
    const tripsFor = async (told: readonly ToldEvent[]): Promise<string[]> => {
      const { watched, asked } = watching(events);
      const forwardEvents = makeForwardEvents({
        events: watched,
        routeToQueues: async () => {},
        removeFromQueues: async () => {},
      });
      await forwardEvents(told);
      return asked;
    };
    const told = Array.from({ length: 400 }, (_, version) => forwardedEvent(PROJECT, version));
    expect(await tripsFor(told)).toEqual(await tripsFor([forwardedEvent(PROJECT, 1)]));
    expect(await tripsFor(told)).not.toContain('replace');
    expect(await events.count({})).toBe(401);
  });

  it('survives many tellings at the same time', async () => {
    const told = forwardedEvent(PROJECT, 0);
    const versions = Array.from({ length: 30 }, (_, version) => ({ ...told, version: (version * 7) % 30 }));
    await Promise.all(versions.map((one) => tell(one)));
    expect(await entryOf(told)).toMatchObject({ event_version: 29 });
  });
});
