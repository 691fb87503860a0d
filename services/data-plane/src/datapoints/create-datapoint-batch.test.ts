import type { EventDatapoint } from '@assay/control-plane-client';
import type { CreateDatapointBatchRequest } from '@assay/contracts';
import { unavailable, validationError } from '@assay/errors';
import type { EventQuery, EventsPort } from '@assay/event-store';
import { portWith } from '@assay/event-store/test/port-with';
import { CONTEXT, startStoredEvents, type StoredEvents } from '../../test/stored-events.js';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { makeCreateDatapointBatch } from './create-datapoint-batch.js';
import { selectedEvents } from './selected-events.js';
import { acceptSelection } from './selection.js';

const EVENTS = 700;

describe('creating datapoints from events', () => {
  let stored: StoredEvents;
  let ids: Set<string>;
  beforeAll(async () => {
    stored = await startStoredEvents();
    const events = await stored.add(
      Array.from({ length: EVENTS }, (_, n) => ({
        start_time: 1_790_000_000_000 + (n >> 9) / 8,
        inputs: { n },
      })),
    );
    ids = new Set(events.map(({ event_id: id }) => id));
  });
  afterAll(() => stored.stop());

  const run = (deps: DataPlaneDeps, body: CreateDatapointBatchRequest) =>
    makeCreateDatapointBatch(deps)({ params: {}, query: {}, body }, CONTEXT) as Promise<{
      insertedIds: string[];
    }>;

  /** A control plane that stores datapoints and fails at some calls. */
  const storing = (failsAt: readonly number[] = []) => {
    const inserted = new Map<string, EventDatapoint>();
    let calls = 0;
    const createDatapoints: DataPlaneDeps['controlPlane']['createDatapoints'] = (_target, datapoints) => {
      if (datapoints.length > 0 && failsAt.includes(++calls))
        return Promise.reject(unavailable('the control plane cannot be asked'));
      for (const datapoint of datapoints)
        if (!inserted.has(datapoint.id)) inserted.set(datapoint.id, datapoint);
      return Promise.resolve(true);
    };
    return { inserted, deps: stored.deps({ createDatapoints }) };
  };
  const linked = (inserted: ReadonlyMap<string, EventDatapoint>) =>
    new Set([...inserted.values()].map(({ linked_event }) => linked_event));

  const searching = (search: EventsPort['search']) => ({
    ...stored.store,
    events: portWith({ search }, stored.store.events),
  });

  it('creates one datapoint of each event', async () => {
    const { inserted, deps } = storing();
    const { insertedIds } = await run(deps, { selectAll: true });
    expect([new Set(insertedIds).size, insertedIds.length, linked(inserted)]).toEqual([EVENTS, EVENTS, ids]);
  });

  it.each([250, 300, 512, 7_500])(
    'reads each event once, %i found at a time, many of one start time',
    async (maxFound) => {
      const { caller, signal } = CONTEXT;
      const source = { events: stored.store.events, projectId: caller.projectId, signal };
      const selection = acceptSelection({ selectAll: true }, Date.now());
      const found: string[] = [];
      for await (const { events } of selectedEvents(source, selection, maxFound)) {
        expect(events.length).toBeLessThanOrEqual(250);
        found.push(...events.map(({ event_id: id }) => id));
      }
      expect([found.length, new Set(found)]).toEqual([EVENTS, ids]);
    },
  );

  it('reads fewer named events at a time when they are too large together', async () => {
    const { inserted, deps } = storing();
    let largest = 0;
    const search = async (projectId: string, query: EventQuery) => {
      const page = await stored.store.events.search(projectId, query);
      if (page.events.length > 40) throw validationError('the events of the page are too large together');
      largest = Math.max(largest, page.events.length);
      return page;
    };
    const small = { ...deps, store: searching(search) };
    await run(small, { events: [...ids] });
    expect([linked(inserted), inserted.size, largest <= 40]).toEqual([ids, EVENTS, true]);
  });

  it('reports a partial failure, and a repeated request creates the remaining datapoints', async () => {
    const { inserted, deps } = storing([2]);
    const failure = run(deps, { selectAll: true, dataset_id: 'd' });
    await expect(failure).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message:
        'the control plane cannot be asked; 250 datapoints were created before the failure, repeat the request to create the others',
    });
    expect(inserted.size).toBe(250);
    const { insertedIds } = await run(deps, { selectAll: true, dataset_id: 'd' });
    expect([insertedIds.length, inserted.size, linked(inserted)]).toEqual([EVENTS, EVENTS, ids]);
  });

  it('creates nothing while the control plane is unavailable', async () => {
    await expect(run(stored.deps(), { selectAll: true, dataset_id: 'd' })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
  });

  it('creates nothing when more events are selected than one request may contain', async () => {
    const { inserted, deps } = storing();
    const search = () => Promise.resolve({ events: [], total: 100_001 });
    const failure = run({ ...deps, store: searching(search) }, { selectAll: true });
    await expect(failure).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('100000') as string,
    });
    expect(inserted.size).toBe(0);
  });

  it('reports events whose datapoint would be too large', async () => {
    const { inserted, deps } = storing();
    const chat_history = Array.from({ length: 90 }, () => ({ role: 'user', content: 'x'.repeat(100_000) }));
    const [large, small] = await stored.add([{ inputs: { chat_history } }, {}]);
    const response = await run(deps, { events: [large!.event_id, small!.event_id] });
    expect(response).toMatchObject({
      insertedIds: [expect.any(String)],
      failed: [{ event_id: large!.event_id }],
    });
    expect([...inserted.values()]).toMatchObject([{ linked_event: small!.event_id }]);
  });
});
