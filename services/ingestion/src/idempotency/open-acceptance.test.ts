import { acceptEvent } from '@assay/domain';
import type { Caller } from '@assay/domain';
import { KnownRequests } from './known-requests.js';
import { makeOpenAcceptance } from './open-acceptance.js';

const caller = (projectId = 'p1') => ({ projectId, projectName: projectId }) as Caller;
const START = 1_795_255_200_000;

/** A process that accepts requests, and what it makes of one. */
function aProcess(clock = { now: START }) {
  let ids = 0;
  const now = () => clock.now;
  const open = makeOpenAcceptance({ now, newId: () => `random-${ids++}`, knownRequests: new KnownRequests(10, now) });
  return (key: string | undefined, content: object, projectId?: string, operation = 'createEvent') => {
    const headers = key === undefined ? {} : { 'idempotency-key': key };
    const acceptance = open({ caller: caller(projectId), headers, operation, content });
    const accepted = acceptEvent({ event_type: 'tool', inputs: {} }, acceptance.context);
    const [settled] = acceptance.settle([accepted]);
    const { event_id, session_id, start_time } = accepted.event;
    return { event_id, session_id, start_time, fresh: settled?.fresh };
  };
}

describe('a create request', () => {
  test('without a key makes new ids each time', () => {
    const send = aProcess();
    expect(send(undefined, {})).toMatchObject({ event_id: 'random-0', fresh: true });
    expect(send(undefined, {})).toMatchObject({ event_id: 'random-2', fresh: true });
  });

  test('makes the same event again under the same key, at the time when it first came', () => {
    const clock = { now: START };
    const send = aProcess(clock);
    const first = send('k', { a: 1 });
    clock.now += 3_600_000;
    expect(send('k', { a: 1 })).toEqual(first);
    expect(first).toMatchObject({ fresh: false, start_time: START });
    expect(first.event_id).not.toBe(first.session_id);
  });

  test('makes the same ids in a process that has not seen the first request', () => {
    expect(aProcess()('k', { a: 1 }).event_id).toBe(aProcess()('k', { a: 1 }).event_id);
  });

  test.each<[string, (send: ReturnType<typeof aProcess>) => unknown]>([
    ['other content', (send) => send('k', { a: 2 })],
    ['another operation', (send) => send('k', { a: 1 }, 'p1', 'startSession')],
  ])('is refused for %s under the key', (_, again) => {
    const send = aProcess();
    send('k', { a: 1 });
    expect(() => again(send)).toThrow('Idempotency-Key was used for another request before');
  });

  test('has nothing to do with the key of another project', () => {
    const send = aProcess();
    const first = send('k', { a: 1 }, 'p1');
    expect(send('k', { a: 2 }, 'p2').event_id).not.toBe(first.event_id);
    expect(send('k', { a: 1 }, 'p3').event_id).not.toBe(first.event_id);
  });

  test('may use a key for something else after 24 hours, and never meets the older event', () => {
    const clock = { now: START };
    const send = aProcess(clock);
    const first = send('k', { a: 1 });
    clock.now += 24 * 3_600_000;
    expect(send('k', { a: 2 }).event_id).not.toBe(first.event_id);
  });

  test('that is refused leaves its key unused', () => {
    const clock = { now: START };
    const now = () => clock.now;
    const open = makeOpenAcceptance({ now, newId: () => 'x', knownRequests: new KnownRequests(10, now) });
    const request = { caller: caller(), headers: { 'idempotency-key': 'k' }, operation: 'createEvent' };
    open({ ...request, content: 'refused before it settled' });
    expect(() => open({ ...request, content: 'corrected' })).not.toThrow();
  });

  test.each(['', ' ', 'a b', 'ü', 'x'.repeat(256)])('with the key %j is refused', (key) => {
    expect(() => aProcess()(key, {})).toThrow('Idempotency-Key must be 1 to 255 printable ASCII characters');
  });
});
