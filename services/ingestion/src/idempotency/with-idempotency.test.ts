import { acceptEvent } from '@assay/domain';
import type { Caller } from '@assay/domain';
import { unavailable } from '@assay/errors';
import { makeWithIdempotency } from './with-idempotency.js';
import { makeIdempotencyCache, type ClaimRequest } from './idempotency-cache.js';

const caller = (projectId = 'p1') => ({ projectId, projectName: projectId }) as Caller;
const START = 1_795_255_200_000;
const DAY = 24 * 3_600_000;

/** What is kept for all processes. */
function aStore(): ClaimRequest {
  const kept = new Map<string, { content: string; at: number }>();
  return ({ projectId, key, content, at }) => {
    const name = `${projectId}/${key}`;
    const known = kept.get(name);
    const first = known && at - known.at < DAY ? known : { content, at };
    kept.set(name, first);
    return Promise.resolve(first);
  };
}

const refused: ClaimRequest = () => Promise.reject(unavailable('away'));

/** A process that accepts requests, and what it makes of one. */
function aProcess(clock = { now: START }, claimRequest = aStore(), onFailure = () => undefined) {
  let ids = 0;
  const now = () => clock.now;
  const known = makeIdempotencyCache({ maxRequests: 10, now, claimRequest, onFailure });
  const withIdempotency = makeWithIdempotency({ now, newId: () => `random-${ids++}`, claimRequest: known });
  return async (key: string | undefined, content: object, projectId?: string, operation = 'createEvent') => {
    const headers = key === undefined ? {} : { 'idempotency-key': key };
    const request = { caller: caller(projectId), headers, operation, content };
    const { made, asSent } = await withIdempotency(request, (context) =>
      acceptEvent({ event_type: 'tool', inputs: {}, ...content }, context),
    );
    const [settled] = asSent([made]);
    const { event_id, session_id, start_time } = made.event;
    return { event_id, session_id, start_time, fresh: settled?.fresh };
  };
}

describe('a create request', () => {
  test('without a key makes new ids each time', async () => {
    const send = aProcess();
    expect(await send(undefined, {})).toMatchObject({ event_id: 'random-0', fresh: true });
    expect(await send(undefined, {})).toMatchObject({ event_id: 'random-2', fresh: true });
  });

  test('makes the same event again under the same key, at the time when it first came, in whatever process', async () => {
    const [clock, store] = [{ now: START }, aStore()];
    const first = await aProcess(clock, store)('k', { metadata: {} });
    clock.now += 3_600_000;
    expect(await aProcess(clock, store)('k', { metadata: {} })).toEqual(first);
    expect(first).toMatchObject({ fresh: false, start_time: START });
    expect(first.event_id).not.toBe(first.session_id);
  });

  test.each<[string, object, string]>([
    ['other content', { metadata: { a: 2 } }, 'createEvent'],
    ['another operation', { metadata: { a: 1 } }, 'startSession'],
  ])('is refused for %s under the key, by every process', async (_, content, operation) => {
    const store = aStore();
    const send = aProcess(undefined, store);
    await send('k', { metadata: { a: 1 } });
    for (const through of [send, aProcess(undefined, store)]) {
      await expect(through('k', content, 'p1', operation)).rejects.toThrow(
        'Idempotency-Key was used for another request before',
      );
    }
  });

  test('is accepted while nobody can be asked, with the same ids, and this process remembers by itself', async () => {
    const clock = { now: START };
    const failures: number[] = [];
    const send = aProcess(clock, refused, () => void failures.push(clock.now));
    const first = await send('k', {});
    expect(first.event_id).toBe((await aProcess()('k', {})).event_id);
    await expect(send('k', { metadata: {} })).rejects.toThrow('Idempotency-Key was used');
    for (let other = 0; other < 5; other++) await send(`other-${other}`, {});
    expect(failures).toHaveLength(1);
    clock.now += 5_000;
    await send('later', {});
    expect(failures).toHaveLength(2);
  });

  test('has nothing to do with the key of another project', async () => {
    const send = aProcess();
    const first = await send('k', {}, 'p1');
    expect((await send('k', { metadata: {} }, 'p2')).event_id).not.toBe(first.event_id);
    expect((await send('k', {}, 'p3')).event_id).not.toBe(first.event_id);
  });

  test('may use a key for something else after 24 hours, and never meets the older event', async () => {
    const clock = { now: START };
    const send = aProcess(clock);
    const first = await send('k', {});
    clock.now += DAY;
    expect((await send('k', { metadata: {} })).event_id).not.toBe(first.event_id);
  });

  test('that is refused leaves its key unused', async () => {
    const send = aProcess();
    await expect(send('k', { event_id: 'no id' })).rejects.toThrow('event_id');
    await expect(send('k', {})).resolves.toMatchObject({ fresh: false });
  });

  test.each(['', ' ', 'a b', 'ü', 'x'.repeat(256)])('with the key %j is refused', async (key) => {
    await expect(aProcess()(key, {})).rejects.toThrow(
      'Idempotency-Key must be 1 to 255 printable ASCII characters',
    );
  });
});
