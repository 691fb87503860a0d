import type { QueueEntry, QueueLease } from '@assay/control-plane-client';
import { unavailable } from '@assay/errors';
import { CONTEXT, startStoredEvents, type StoredEvents } from '../../test/stored-events.js';
import { makeNextQueueEvent } from './next-queue-event.js';

const COUNTS = { pending: 0, leased: 1, done: 0, skipped: 0 };

describe('leasing the next event of a queue', () => {
  let stored: StoredEvents;
  let entry: QueueEntry;
  beforeAll(async () => {
    stored = await startStoredEvents();
    const [event] = await stored.add([{}]);
    entry = {
      ...{ eventId: event!.event_id, addedAt: '2026-11-01T00:00:00.000Z', done: false, doneAt: null },
      ...{ status: 'pending', lease: null, annotator: null, doneBy: null, version: 1 },
    };
  });
  afterAll(() => stored.stop());

  const NONE_OPEN = () => Promise.resolve({ entries: [], total: 0, counts: COUNTS });

  /** Leases with a control plane that gives leases, and returns what it was asked to do. */
  async function lease({ queueEntries = NONE_OPEN, onLeased = () => {}, signal = CONTEXT.signal } = {}) {
    const asked: string[] = [];
    const leaseQueueEvent = ({ action, eventId = '' }: QueueLease & { eventId?: string }) => {
      asked.push(`${action} ${eventId}`.trim());
      onLeased();
      return Promise.resolve({ outcome: 'ok' as const, entry, counts: COUNTS });
    };
    const next = makeNextQueueEvent(stored.deps({ leaseQueueEvent, queueEntries }));
    const response = await Promise.resolve(
      next({ params: { queue_id: 'q' }, query: {}, body: { annotator: 'anna' } }, { ...CONTEXT, signal }),
    ).catch((error: unknown) => error);
    return { response, asked };
  }

  it('returns its event', async () => {
    const { response, asked } = await lease();
    expect(response).toMatchObject({ item: { event_id: entry.eventId, event: { event_type: 'model' } } });
    expect(asked).toEqual(['next']);
  });

  it('ends the lease when the client has disconnected meanwhile', async () => {
    const client = new AbortController();
    const { response, asked } = await lease({ onLeased: () => client.abort(), signal: client.signal });
    expect(response).toBeInstanceOf(Error);
    expect(asked).toEqual(['next', `release ${entry.eventId}`]);
  });

  it('ends the lease when the open events cannot be read', async () => {
    const failing = unavailable('the control plane cannot be asked');
    const { response, asked } = await lease({ queueEntries: () => Promise.reject(failing) });
    expect(response).toBe(failing);
    expect(asked).toEqual(['next', `release ${entry.eventId}`]);
  });
});
