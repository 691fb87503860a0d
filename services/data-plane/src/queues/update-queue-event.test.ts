import { decodeRecord } from '@assay/contracts';
import type { QueueEntry } from '@assay/control-plane-client';
import { unavailable } from '@assay/errors';
import type { ConsumedRecord } from '@assay/event-log';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { CONTEXT, startStoredEvents, type StoredEvents } from '../../test/stored-events.js';
import { makeUpdateQueueEvent } from './update-queue-event.js';

const RULE = { name: 'tone', return_type: 'float', scale: 5, categories: null } as const;

describe('scoring an event of a queue', () => {
  let stored: StoredEvents;
  let eventId: string;
  beforeAll(async () => {
    stored = await startStoredEvents();
  });
  beforeEach(async () => {
    await stored.renewLog();
    const [event] = await stored.add([{}]);
    eventId = event!.event_id;
  });
  afterAll(() => stored.stop());

  const entry: QueueEntry = {
    eventId: 'e',
    addedAt: '2026-11-01T00:00:00.000Z',
    done: true,
    doneAt: '2026-11-02T00:00:00.000Z',
    status: 'done',
    lease: null,
    annotator: 'k1',
    doneBy: 'k1',
    version: 1,
  };
  const annotationMetrics = () => Promise.resolve([RULE]);
  const score = (
    controlPlane: Partial<DataPlaneDeps['controlPlane']>,
    body: object = { done: true, metrics: { tone: 4 } },
  ) =>
    makeUpdateQueueEvent(stored.deps(controlPlane))(
      { params: { queue_id: 'q', event_id: eventId.toUpperCase() }, query: {}, body },
      CONTEXT,
    );
  const firstOnLog = async () => {
    const [record] = await new Promise<readonly ConsumedRecord[]>((found) => {
      void stored.log.read({
        group: 'g',
        maxRecords: 1,
        maxBytes: 1_000,
        lingerMs: 0,
        onBatch: (batch) => Promise.resolve(found(batch)),
      });
    });
    return decodeRecord(record!);
  };
  const onLog = async () => {
    const [end] = (await stored.log.end()).values();
    return end ?? 0;
  };

  it('appends the score as an update before it notifies the control plane', async () => {
    let before = -1;
    const markQueueEvent = async () => {
      before = await onLog();
      return entry;
    };
    expect(await score({ annotationMetrics, markQueueEvent })).toEqual({
      event_id: 'e',
      added_at: entry.addedAt,
      done: true,
      done_at: entry.doneAt,
      status: 'done',
      lease: null,
      annotator: 'k1',
      done_by: 'k1',
      version: 1,
    });
    expect([before, await onLog()]).toEqual([1, 1]);
    const { kind, projectId, eventId: id, value } = await firstOnLog();
    expect([kind, projectId, id, JSON.parse(value.toString())]).toEqual([
      'patch',
      'p1',
      eventId,
      {
        metrics: { tone: 4, tone_explanation: null },
        feedback: { 'tone@k1': 4, 'tone_explanation@k1': null },
      },
    ]);
  });

  it('leases the event before it appends what the annotator says, and keeps the texts with the event', async () => {
    const leases: object[] = [];
    const leaseQueueEvent = (lease: object) => {
      leases.push(lease);
      return Promise.resolve({ outcome: 'ok' as const, entry, counts: null });
    };
    const completions: object[] = [];
    const markQueueEvent = (completion: object) => {
      completions.push(completion);
      return Promise.resolve(entry);
    };
    const body = { status: 'skipped', annotator: 'anna', version: 3, comment: 'unclear', reason: 'no text' };
    await score({ leaseQueueEvent, markQueueEvent }, body);
    const name = { projectId: 'p1', queueId: 'q', eventId: eventId.toUpperCase() };
    expect(leases).toEqual([{ ...name, action: 'hold', annotator: 'anna', status: 'skipped', version: 3 }]);
    expect(completions).toMatchObject([{ ...name, done: false, status: 'skipped', annotator: 'anna' }]);
    expect(JSON.stringify([leases, completions])).not.toMatch(/unclear|no text/);
    expect(JSON.parse((await firstOnLog()).value.toString())).toEqual({
      feedback: { 'q@anna': { comment: 'unclear', reason: 'no text' } },
    });
  });

  it.each([
    ['stale', 'CONFLICT', 'version is stale: the entry has changed, read it again'],
    ['leased_by_other', 'CONFLICT', 'the event is leased to another annotator'],
    ['no_event', 'NOT_FOUND', 'the event is not in the queue'],
    ['no_queue', 'NOT_FOUND', 'queue not found'],
  ] as const)('appends nothing when the lease is %s', async (outcome, code, message) => {
    const leaseQueueEvent = () => Promise.resolve({ outcome, entry: null, counts: null });
    const body = { done: true, metrics: { tone: 4 }, version: 1 };
    await expect(score({ annotationMetrics, leaseQueueEvent }, body)).rejects.toMatchObject({
      code,
      message,
    });
    expect(await onLog()).toBe(0);
  });

  it.each([
    [{}, 'status or done is required'],
    [{ done: true, status: 'pending' }, 'done must agree with status'],
    [{ done: false, status: 'skipped' }, 'done must agree with status'],
    [{ status: 'skipped', metrics: { tone: 1 } }, 'metrics must be absent when status is skipped'],
    [{ status: 'done', reason: 'x' }, 'reason must be absent unless status is skipped'],
  ])('rejects %j', async (body, message) => {
    await expect(score({}, body)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', message });
  });

  it('keeps the score when the control plane becomes unavailable, and a repeated request completes it', async () => {
    await expect(
      score({ annotationMetrics, markQueueEvent: () => Promise.reject(unavailable('unreachable')) }),
    ).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
    expect(await onLog()).toBe(1);
    expect(await score({ annotationMetrics, markQueueEvent: () => Promise.resolve(entry) })).toMatchObject({
      done: true,
    });
  });

  it('appends nothing while the control plane is unavailable, for an event outside the queue, without the queue, or for an invalid value', async () => {
    let calls = 0;
    const markQueueEvent = () => Promise.resolve(calls++ < 0 ? undefined : entry);
    await expect(score({ markQueueEvent })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    const absent = () => Promise.resolve(undefined);
    const counts = { pending: 0, leased: 0, done: 0, skipped: 0 };
    const page = { entries: [], total: 0, counts };
    const inQueue = { queueEntries: () => Promise.resolve(page), markQueueEvent };
    await expect(score({ annotationMetrics: absent, ...inQueue })).rejects.toMatchObject({
      ...{ code: 'NOT_FOUND', message: 'the event is not in the queue' },
    });
    const noQueue = { annotationMetrics: absent, queueEntries: absent, markQueueEvent: absent };
    for (const body of [{ done: true, metrics: { tone: 4 } }, { done: true }])
      await expect(score(noQueue, body)).rejects.toMatchObject({
        ...{ code: 'NOT_FOUND', message: 'queue not found' },
      });
    const wrong = score({ annotationMetrics, markQueueEvent }, { done: true, metrics: { tone: 6 } });
    await expect(wrong).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: 'metrics.tone must be from 1 to 5',
    });
    expect([await onLog(), calls]).toEqual([0, 0]);
  });

  it('appends nothing for a deleted event', async () => {
    const changes = { projectId: 'p1', eventId, patch: {}, deleted: true, version: 9 };
    await stored.store.writer.write({ rows: [], tombstones: [], changes: [changes], token: 'deleted' });
    await expect(
      score({ annotationMetrics, markQueueEvent: () => Promise.resolve(entry) }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await onLog()).toBe(0);
  });

  it('does not mark the event as done when the log is unavailable', async () => {
    let calls = 0;
    const deps = stored.deps({
      annotationMetrics,
      markQueueEvent: () => Promise.resolve(calls++ < 0 ? undefined : entry),
    });
    const log = { ...deps.log, append: () => Promise.reject(unavailable('the log is unavailable')) } as never;
    const request = {
      params: { queue_id: 'q', event_id: eventId },
      query: {},
      body: { done: true, metrics: { tone: 4 } },
    } as never;
    await expect(makeUpdateQueueEvent({ ...deps, log })(request, CONTEXT)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
    expect(calls).toBe(0);
  });
});
