import { PassThrough, type Duplex } from 'node:stream';
import { IncompleteRequests } from './incomplete-requests.js';

/** A register with a clock of its own: at most 4 requests, 2 of a caller, a lag of 1,000 ms. */
function register() {
  const callers = new Map<Duplex, string>();
  const rejected: string[] = [];
  let now = 0;
  const requests = new IncompleteRequests({
    ...{ max: 4, maxOfOne: 2, maxLagMs: 1_000 },
    callerOf: (socket) => callers.get(socket) ?? '',
    now: () => now,
  });
  const begin = (name: string) => {
    const state = { isComplete: false, received: 0, isHeldBack: false, socket: new PassThrough() };
    callers.set(state.socket, name.charAt(0));
    requests.add({
      socket: state.socket,
      isComplete: () => state.isComplete,
      receivedBytes: () => state.received,
      isHeldBack: () => state.isHeldBack,
      reject: () => rejected.push(name),
    });
    return state;
  };
  const pass = (ms: number) => {
    now += ms;
    requests.rejectSlow();
  };
  return { begin, pass, rejected, requests };
}

describe('requests whose bodies have not arrived', () => {
  it('rejects one that is slower than the minimum rate', () => {
    const { begin, pass, rejected } = register();
    const [, fast] = [begin('a1'), begin('b1')];
    pass(1_000);
    fast.received = 500;
    expect(rejected).toEqual([]);
    pass(500);
    expect(rejected).toEqual(['a1']);
    pass(1);
    expect(rejected).toEqual(['a1', 'b1']);
  });

  it('does not count the time in which the server does not read', () => {
    const { begin, pass, rejected } = register();
    const held = begin('a1');
    held.isHeldBack = true;
    for (let n = 0; n < 10; n++) pass(500);
    held.isHeldBack = false;
    pass(1_000);
    expect(rejected).toEqual([]);
    pass(1);
    expect(rejected).toEqual(['a1']);
  });

  it('rejects the slowest one of a caller with more than its share', () => {
    const { begin, pass, rejected } = register();
    const first = begin('a1');
    begin('a2');
    begin('b1');
    pass(10);
    first.received = 5;
    begin('a3');
    expect(rejected).toEqual(['a2']);
  });

  it('rejects the slowest one of the caller with the most when there are too many together', () => {
    const { begin, pass, rejected } = register();
    begin('b1');
    begin('a1');
    pass(10);
    begin('a2');
    begin('c1');
    begin('d1');
    expect(rejected).toEqual(['a1']);
  });

  it('does not count those that have arrived', () => {
    const { begin, pass, rejected } = register();
    for (let n = 0; n < 100; n++) begin('a').isComplete = true;
    pass(5_000);
    expect(rejected).toEqual([]);
  });

  it('rejects the slowest one of given connections', () => {
    const { begin, requests, rejected } = register();
    const [one, other] = [begin('a1'), begin('b1')];
    expect(requests.rejectSlowestOf(new Set([other.socket]))).toBe(other.socket);
    expect(requests.rejectSlowestOf(new Set([other.socket]))).toBeUndefined();
    expect([rejected, one.isComplete]).toEqual([['b1'], false]);
  });
});
