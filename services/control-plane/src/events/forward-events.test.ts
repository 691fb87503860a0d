import { forwardedEvent } from '@assay/control-plane-client/test/control-plane-contract';
import { NO_REDACTION, redactEvent } from '@assay/domain';
import { type StartedControlPlane, startControlPlane } from '../../test/started-control-plane.js';
import { makeForwardEvents } from './forward-events.js';
import {
  EVENT_ENTRY_COLLECTION,
  type EventEntryCollection,
  type EventEntryFields,
  entryId,
  type ForwardedUpsert,
} from './indexed-event.js';

const PROJECT = 'p1';

/** Returns the collection with a list of its calls. */
function watching(collection: EventEntryCollection) {
  const asked: string[] = [];
  const watched = new Proxy(collection, {
    get(target, name) {
      asked.push(String(name));
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  return { watched, asked };
}

describe('a forwarded event in the control plane', () => {
  let started: StartedControlPlane;
  let events: EventEntryCollection;
  beforeEach(async () => {
    started = await startControlPlane();
    events = await started.documents.collection<EventEntryFields>(EVENT_ENTRY_COLLECTION);
  });
  afterEach(() => started.stop());

  const entryOf = ({ event }: ForwardedUpsert) => events.get(entryId(PROJECT, event.event_id));
  const forward = (...forwarded: ForwardedUpsert[]) => started.controlPlane.forwardEvents(forwarded);

  it('is stored with a closed list of fields, and only with the structure of inputs and outputs, even if their values were forwarded', async () => {
    const forwarded = forwardedEvent(PROJECT, 7);
    const values = {
      inputs: { q: 'secret', n: [1, { deep: true }] },
      metadata: { kept: 'yes' },
      more: 'dropped',
    };
    const event = redactEvent({ ...forwarded.event, ...values }, NO_REDACTION);
    await forward({ ...forwarded, event });
    const { id, version, ...entry } = (await entryOf(forwarded))!;
    expect([id, version]).toEqual([`${PROJECT}:${event.event_id}`, 1]);
    const { children_ids: _children, origin: _origin, ...leaving } = event;
    const structure = { inputs: { q: '', n: [0, { deep: false }] } };
    expect(entry).toEqual({
      ...leaving,
      ...structure,
      arrived_at: forwarded.arrivedAt,
      event_version: 7,
      deleted: false,
    });
  });

  it('is written once, however often it is forwarded', async () => {
    const forwarded = forwardedEvent(PROJECT, 7);
    for (let time = 0; time < 3; time++)
      await forward({ ...forwarded, arrivedAt: forwarded.arrivedAt + time });
    expect((await entryOf(forwarded))?.version).toBe(1);
  });

  it('is replaced when its version is forwarded again, because the first may have been read during a write', async () => {
    const forwarded = forwardedEvent(PROJECT, 7);
    await forward(forwarded);
    await forward({
      ...forwarded,
      event: redactEvent({ ...forwarded.event, metrics: { late: 1 } }, NO_REDACTION),
    });
    expect(await entryOf(forwarded)).toMatchObject({ metrics: { late: 1 } });
  });

  it('is replaced by a tombstone when it is deleted', async () => {
    const forwarded = forwardedEvent(PROJECT, 7, { event_name: 'gone' });
    await forward(forwarded);
    const ids = { projectId: PROJECT, eventId: forwarded.event.event_id };
    await started.controlPlane.forwardEvents([{ kind: 'delete', version: 9, ...ids }]);
    const { id: _id, version: _version, ...tombstone } = (await entryOf(forwarded))!;
    expect(tombstone).toEqual({
      project_id: PROJECT,
      event_id: ids.eventId,
      event_version: 9,
      deleted: true,
    });
  });

  it('takes as many round trips for hundreds of events as for one', async () => {
    const tripsFor = async (forwarded: readonly ForwardedUpsert[]): Promise<string[]> => {
      const { watched, asked } = watching(events);
      const forwardEvents = makeForwardEvents({
        events: watched,
        routeToQueues: async () => {},
        removeFromQueues: async () => {},
      });
      await forwardEvents(forwarded);
      return asked;
    };
    const forwarded = Array.from({ length: 400 }, (_, version) => forwardedEvent(PROJECT, version));
    expect(await tripsFor(forwarded)).toEqual(await tripsFor([forwardedEvent(PROJECT, 1)]));
    expect(await tripsFor(forwarded)).not.toContain('replace');
    expect(await events.count({})).toBe(401);
  });

  it('keeps the newest version when versions are forwarded concurrently', async () => {
    const forwarded = forwardedEvent(PROJECT, 0);
    const versions = Array.from({ length: 30 }, (_, version) => ({
      ...forwarded,
      version: (version * 7) % 30,
    }));
    await Promise.all(versions.map((one) => forward(one)));
    expect(await entryOf(forwarded)).toMatchObject({ event_version: 29 });
  });
});
