import { randomUUID } from 'node:crypto';
import type { ForwardedEvent } from '@assay/control-plane-client';
import { acceptRedaction, ADMINISTRATOR } from '@assay/domain';
import { unavailable } from '@assay/errors';
import { CALLER, CONTEXT, startStoredEvents, type StoredEvents } from '../../test/stored-events.js';
import { makeForwardSessions } from '../forwarding/forward-sessions.js';
import { makeForwardStoredSessions } from './forward-stored-sessions.js';

describe('forwarding stored sessions', () => {
  let stored: StoredEvents;
  const sessions = Array.from({ length: 5 }, () => randomUUID());
  beforeAll(async () => {
    stored = await startStoredEvents();
    await stored.add(
      sessions.map((session_id, n) => ({
        session_id,
        event_id: session_id,
        event_type: 'session',
        event_name: 'chat',
        start_time: 1_790_000_000_000 + Math.floor(n / 2),
      })),
    );
    await stored.add([{ session_id: sessions[0], error: 'no', inputs: { q: 'secret' } }]);
  });
  afterAll(() => stored.stop());

  const start = () => {
    const forwarded: ForwardedEvent[] = [];
    let isReachable = true;
    const forwardSummaries = makeForwardSessions({
      store: stored.store,
      controlPlane: {
        forwardEvents: (batch) =>
          isReachable ? Promise.resolve(void forwarded.push(...batch)) : Promise.reject(unavailable('away')),
      },
      redaction: acceptRedaction({ redactValues: true }),
      logger: { warn: () => undefined },
    });
    const operation = makeForwardStoredSessions({ store: stored.store, forwardSummaries });
    const context = { ...CONTEXT, caller: ADMINISTRATOR } as const;
    const forward = async (cursor?: string, project_id = CALLER.projectId) => {
      const body = { project_id, limit: 2, ...(cursor && { cursor }) };
      const response = await operation({ params: {}, query: {}, body }, context);
      return response as { readonly forwarded: number; readonly next_cursor: string | null };
    };
    return { forward, forwarded, disconnect: () => (isReachable = false) };
  };
  const idsOf = (forwarded: readonly ForwardedEvent[]) =>
    forwarded.map((one) => (one.kind === 'session' ? one.summary.session_id : one.kind)).sort();

  it('forwards the summaries of all sessions of a project in pages, and again when it is repeated', async () => {
    const { forward, forwarded } = start();
    const counts: number[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const page = await forward(cursor);
      counts.push(page.forwarded);
      cursor = page.next_cursor ?? undefined;
    }
    expect(counts).toEqual([2, 2, 1]);
    expect(idsOf(forwarded)).toEqual([...sessions].sort());
    const changed = forwarded.find((one) => one.kind === 'session' && one.summary.session_id === sessions[0]);
    expect(changed).toMatchObject({ isListed: true, summary: { num_events: 1, num_errors: 1 } });
    await forward();
    expect(forwarded).toHaveLength(7);
    expect(await forward(undefined, 'other')).toEqual({ success: true, forwarded: 0, next_cursor: null });
  });

  it('fails without a cursor when the control plane is unreachable, so that the page is repeated', async () => {
    const { forward, forwarded, disconnect } = start();
    const first = await forward();
    disconnect();
    await expect(forward(first.next_cursor ?? '')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(forwarded).toHaveLength(2);
  });

  it('is rejected by a process that does not forward', async () => {
    const operation = makeForwardStoredSessions({ store: stored.store });
    const context = { ...CONTEXT, caller: ADMINISTRATOR } as const;
    const call = operation({ params: {}, query: {}, body: { project_id: 'p1' } }, context);
    await expect(call).rejects.toMatchObject({ code: 'CONFLICT' });
  });
});
