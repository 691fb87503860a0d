import { acceptEvent } from '@assay/domain';
import type { Caller } from '@assay/domain';
import { unavailable } from '@assay/errors';
import { makeWithIdempotency } from './with-idempotency.js';
import { makeIdempotencyCache, type ClaimRequest } from './idempotency-cache.js';

const caller = (projectId = 'p1') => ({ projectId, projectName: projectId }) as Caller;
const START = 1_795_255_200_000;
const DAY = 24 * 3_600_000;

/** A store of claims that all processes share. */
function aStore(): ClaimRequest {
  const claims = new Map<string, { content: string; at: number }>();
  return ({ projectId, key, content, at }) => {
    const name = `${projectId}/${key}`;
    const known = claims.get(name);
    const first = known && at - known.at < DAY ? known : { content, at };
    claims.set(name, first);
    return Promise.resolve(first);
  };
}

const unreachable: ClaimRequest = () => Promise.reject(unavailable('control plane unreachable'));

/** A process that accepts requests. */
function aProcess(clock = { now: START }, claimRequest = aStore(), onFailure = () => undefined) {
  let ids = 0;
  const now = () => clock.now;
  const known = makeIdempotencyCache({ maxRequests: 10, now, claimRequest, onFailure });
  const withIdempotency = makeWithIdempotency({ now, newId: () => `random-${ids++}`, claimRequest: known });
  return async (key: string | undefined, content: object, projectId?: string, operation = 'createEvent') => {
    const headers = key === undefined ? {} : { 'idempotency-key': key };
    const yieldToEventLoop = () => undefined;
    const request = { caller: caller(projectId), headers, operation, content, yieldToEventLoop };
    const { value, forStorage } = await withIdempotency(request, (context) =>
      acceptEvent({ event_type: 'tool', inputs: {}, ...content }, context),
    );
    const [accepted] = forStorage([value]);
    const { event_id, session_id, start_time } = value.event;
    return { event_id, session_id, start_time, fresh: accepted?.fresh };
  };
}

describe('a create request', () => {
  test('gets new ids each time without a key', async () => {
    const send = aProcess();
    expect(await send(undefined, {})).toMatchObject({ event_id: 'random-0', fresh: true });
    expect(await send(undefined, {})).toMatchObject({ event_id: 'random-2', fresh: true });
  });

  test('makes the same event under the same key in every process, with the time of the first request', async () => {
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
  ])('is rejected by every process for %s under the same key', async (_, content, operation) => {
    const store = aStore();
    const send = aProcess(undefined, store);
    await send('k', { metadata: { a: 1 } });
    for (const through of [send, aProcess(undefined, store)]) {
      await expect(through('k', content, 'p1', operation)).rejects.toThrow(
        'Idempotency-Key was already used for another request',
      );
    }
  });

  test('is accepted with the same ids while the control plane is unreachable, using the local cache', async () => {
    const clock = { now: START };
    const failures: number[] = [];
    const send = aProcess(clock, unreachable, () => void failures.push(clock.now));
    const first = await send('k', {});
    expect(first.event_id).toBe((await aProcess()('k', {})).event_id);
    await expect(send('k', { metadata: {} })).rejects.toThrow('Idempotency-Key was already used');
    for (let other = 0; other < 5; other++) await send(`other-${other}`, {});
    expect(failures).toHaveLength(1);
    clock.now += 5_000;
    await send('later', {});
    expect(failures).toHaveLength(2);
  });

  test('is independent of the same key in another project', async () => {
    const send = aProcess();
    const first = await send('k', {}, 'p1');
    expect((await send('k', { metadata: {} }, 'p2')).event_id).not.toBe(first.event_id);
    expect((await send('k', {}, 'p3')).event_id).not.toBe(first.event_id);
  });

  test('may reuse a key for other content after 24 hours, with other ids', async () => {
    const clock = { now: START };
    const send = aProcess(clock);
    const first = await send('k', {});
    clock.now += DAY;
    expect((await send('k', { metadata: {} })).event_id).not.toBe(first.event_id);
  });

  test('does not consume its key when it is rejected', async () => {
    const send = aProcess();
    await expect(send('k', { event_id: 'no id' })).rejects.toThrow('event_id');
    await expect(send('k', {})).resolves.toMatchObject({ fresh: false });
  });

  test.each(['', ' ', 'a b', 'ü', 'x'.repeat(256)])('is rejected with the invalid key %j', async (key) => {
    await expect(aProcess()(key, {})).rejects.toThrow(
      'Idempotency-Key must be 1 to 255 printable ASCII characters',
    );
  });
});
