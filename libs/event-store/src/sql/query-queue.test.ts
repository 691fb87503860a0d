import { getEventListeners } from 'node:events';
import { QueryQueue, type QueryQueueOptions } from './query-queue.js';

const cleanUps: (() => void)[] = [];
afterEach(() => cleanUps.splice(0).forEach((cleanUp) => cleanUp()));

/** A queue, with queries that end on demand. */
function queueOf(options: Partial<QueryQueueOptions> = {}) {
  const queue = new QueryQueue({
    concurrency: 2,
    perProject: 1,
    maxWaiting: 2,
    timeoutMs: 60_000,
    ...options,
  });
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  cleanUps.push(() => {
    queue.close();
    for (const endOne of ends.values()) endOne();
  });
  const run = (project: string, name: string, signal?: AbortSignal) => {
    const query = () => {
      started.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    };
    const result = queue.run(project, query, signal);
    result.catch(() => undefined);
    return result;
  };
  const end = async (name: string) => {
    ends.get(name)?.();
    await settled();
  };
  return { queue, run, end, started };
}

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe('QueryQueue', () => {
  it('starts a query of another project while one project waits', async () => {
    const { run, started } = queueOf();
    for (const name of ['a1', 'a2', 'a3']) void run('a', name);
    void run('b', 'b1');
    await settled();
    expect(started).toStrictEqual(['a1', 'b1']);
  });

  it('leaves nothing at the signal of a client that makes many queries', async () => {
    const { run, end } = queueOf();
    const client = new AbortController();
    for (const name of ['a1', 'a2', 'a3']) {
      const result = run('a', name, client.signal);
      await settled();
      await end(name);
      expect(await result).toBe(name);
    }
    expect(getEventListeners(client.signal, 'abort')).toEqual([]);
  });

  it('serves projects in turn', async () => {
    const { run, end, started } = queueOf({ concurrency: 1 });
    for (const name of ['a1', 'a2', 'a3']) void run('a', name);
    for (const name of ['b1', 'b2']) void run('b', name);
    await settled();
    for (const name of ['a1', 'b1', 'a2', 'b2']) await end(name);
    expect(started).toStrictEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
  });

  it('refuses a query when too many of its project wait, and accepts one of another project', async () => {
    const { run, started } = queueOf();
    for (const name of ['a1', 'a2', 'a3']) void run('a', name);
    await expect(run('a', 'a4')).rejects.toMatchObject({ code: 'OVERLOADED' });
    void run('b', 'b1');
    await settled();
    expect(started).toContain('b1');
  });

  it('removes a waiting query whose caller has left', async () => {
    const { run, end, started } = queueOf();
    const caller = new AbortController();
    void run('a', 'a1');
    const left = run('a', 'a2', caller.signal);
    void run('a', 'a3');
    await settled();
    caller.abort();
    await expect(left).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await end('a1');
    expect(started).toStrictEqual(['a1', 'a3']);
  });

  it('releases a caller that has left, and keeps its slot until the query has ended', async () => {
    const { run, end, started } = queueOf();
    const caller = new AbortController();
    const left = run('a', 'a1', caller.signal);
    void run('a', 'a2');
    await settled();
    caller.abort();
    await expect(left).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(started).toStrictEqual(['a1']);
    await end('a1');
    expect(started).toStrictEqual(['a1', 'a2']);
  });

  it('ends a query that runs too long, and one that waits too long', async () => {
    const { run } = queueOf({ timeoutMs: 20 });
    const [running, waiting] = [run('a', 'a1'), run('a', 'a2')];
    await expect(running).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    await expect(waiting).rejects.toMatchObject({ code: 'OVERLOADED' });
  });

  it('rejects everything once it is closed', async () => {
    const { queue, run } = queueOf();
    const [running, waiting] = [run('a', 'a1'), run('a', 'a2')];
    await settled();
    queue.close();
    for (const query of [running, waiting, run('b', 'b1')])
      await expect(query).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
});

describe('the load of the query queue', () => {
  it('counts the queries that run and that wait', async () => {
    const { queue, run, end } = queueOf({ concurrency: 2, perProject: 1 });
    void run('a', 'a1');
    void run('a', 'a2');
    void run('b', 'b1');
    await settled();
    expect(queue.load).toEqual({ running: 2, waiting: 1, asked: 3 });
    for (const name of ['b1', 'a1', 'a2']) await end(name);
    expect(queue.load).toEqual({ running: 0, waiting: 0, asked: 3 });
  });
});

describe('the reserve of the query queue', () => {
  const LONG_MS = 2_000;
  const TIMEOUT_MS = 30_000;
  /** Queries of two projects that occupy every slot. */
  const ALL_SLOTS = [
    ['a', 'a1'],
    ['a', 'a2'],
    ['c', 'c1'],
  ] as const;

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const pass = async (ms: number) => {
    jest.advanceTimersByTime(ms);
    await settled();
    await settled();
  };

  /** A queue with queries that end on demand or, a moment later, when they are cancelled. */
  function reserveOf() {
    const queue = new QueryQueue({
      ...{ concurrency: 3, perProject: 2, maxWaiting: 8 },
      timeoutMs: TIMEOUT_MS,
    });
    cleanUps.push(() => queue.close());
    const started: string[] = [];
    const ended: string[] = [];
    const ends = new Map<string, () => void>();
    const run = (project: string, name: string, options: { signal?: AbortSignal } = {}) => {
      const query = (signal: AbortSignal) => {
        started.push(name);
        return new Promise<string>((resolve, reject) => {
          ends.set(name, () => resolve(name));
          const cancel = () => setImmediate(() => reject(new Error('cancelled')));
          signal.addEventListener('abort', cancel, { once: true });
        }).finally(() => ended.push(name));
      };
      const result = queue.run(project, query, options.signal);
      result.catch(() => undefined);
      return result;
    };
    const end = async (name: string) => {
      ends.get(name)?.();
      await settled();
    };
    return { queue, run, end, started, ended };
  }

  it('runs a query of a project beside two others that occupy all slots', async () => {
    const { queue, run, end, started } = reserveOf();
    for (const [project, name] of ALL_SLOTS) void run(project, name);
    const quiet = run('b', 'b1');
    await settled();
    expect(started).toStrictEqual(['a1', 'a2', 'c1', 'b1']);
    expect(queue.load).toEqual({ running: 4, waiting: 0, asked: 4 });
    await end('b1');
    await expect(quiet).resolves.toBe('b1');
    expect(queue.load).toEqual({ running: 3, waiting: 0, asked: 4 });
  });

  it('is not for a project that has as many queries as it may have', async () => {
    const { run, end, started } = reserveOf();
    for (const [project, name] of [...ALL_SLOTS, ['a', 'a3'], ['c', 'c2'], ['c', 'c3']] as const)
      void run(project, name);
    await settled();
    expect(started).toStrictEqual(['a1', 'a2', 'c1', 'c2']);
    await end('a1');
    // The query of the reserve takes the slot, and the next one has to wait for one.
    expect(started).toStrictEqual(['a1', 'a2', 'c1', 'c2']);
    await end('a2');
    expect(started).toStrictEqual(['a1', 'a2', 'c1', 'c2', 'a3']);
  });

  it('runs no more queries of a project than it may have when its queries have moved to slots', async () => {
    const { run, end, started } = reserveOf();
    for (const [project, name] of ALL_SLOTS) void run(project, name);
    for (const name of ['b1', 'b2', 'b3', 'b4']) void run('b', name);
    await settled();
    for (const name of ['a1', 'a2', 'c1']) await end(name);
    expect(started.slice(ALL_SLOTS.length)).toStrictEqual(['b1', 'b2']);
  });

  it('is free again when its query has moved to a slot', async () => {
    const { run, end, started } = reserveOf();
    for (const [project, name] of [...ALL_SLOTS, ['b', 'b1']] as const) void run(project, name);
    await settled();
    await end('a1');
    void run('d', 'd1');
    await settled();
    expect(started).toStrictEqual(['a1', 'a2', 'c1', 'b1', 'd1']);
  });

  it('cancels a query that has become long while another project waits, and runs it again in its turn', async () => {
    const { run, end, started, ended } = reserveOf();
    for (const [project, name] of ALL_SLOTS) void run(project, name);
    const long = run('d', 'd1');
    const quiet = run('b', 'b1');
    await pass(LONG_MS - 1);
    expect(started).toStrictEqual(['a1', 'a2', 'c1', 'd1']);
    await pass(1);
    expect(ended).toStrictEqual(['d1']);
    expect(started).toStrictEqual(['a1', 'a2', 'c1', 'd1', 'b1']);
    await end('b1');
    await expect(quiet).resolves.toBe('b1');
    await end('a1');
    expect(started).toStrictEqual(['a1', 'a2', 'c1', 'd1', 'b1', 'd1']);
    await end('d1');
    await expect(long).resolves.toBe('d1');
  });

  it('cancels a query that is long already when another project comes', async () => {
    const { run, started, ended } = reserveOf();
    for (const [project, name] of [...ALL_SLOTS, ['d', 'd1']] as const) void run(project, name);
    await pass(LONG_MS);
    expect(ended).toStrictEqual([]);
    void run('b', 'b1');
    await pass(0);
    expect(ended).toStrictEqual(['d1']);
    expect(started).toContain('b1');
  });

  it('is not for a project that has had a heavy query a short while ago', async () => {
    const { run, end, started } = reserveOf();
    void run('c', 'c0');
    await settled();
    await pass(TIMEOUT_MS / 3);
    await end('c0');
    for (const [project, name] of ALL_SLOTS) void run(project, name);
    const waiting = run('c', 'c2');
    await pass(0);
    expect(started).toStrictEqual(['c0', 'a1', 'a2', 'c1']);
    for (const name of ['a1', 'c1', 'c2']) await end(name);
    await expect(waiting).resolves.toBe('c2');
    await pass(30_000);
    for (const name of ['a3', 'c3', 'c4', 'c5']) void run(name.charAt(0), name);
    await pass(0);
    expect(started.slice(5)).toStrictEqual(['a3', 'c3', 'c4']);
  });

  it('is not for a project whose query had to yield', async () => {
    const { run, end, started } = reserveOf();
    for (const [project, name] of [...ALL_SLOTS, ['d', 'd1'], ['b', 'b1']] as const) void run(project, name);
    await settled();
    // Waits for the reserve before the first one has to yield.
    void run('d', 'd2');
    await pass(LONG_MS);
    await end('b1');
    void run('d', 'd3');
    await pass(0);
    expect(started).toStrictEqual(['a1', 'a2', 'c1', 'd1', 'b1']);
  });

  it('runs a query on that got no turn in time, within its own limit', async () => {
    const { run } = reserveOf();
    for (const [project, name] of ALL_SLOTS) void run(project, name);
    await pass(1_000);
    const reserved = run('b', 'b1');
    const isRejected = jest.fn();
    reserved.catch(isRejected);
    await pass(TIMEOUT_MS - 1);
    expect(isRejected).not.toHaveBeenCalled();
    await pass(1);
    await expect(reserved).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('releases a caller that has left, and is occupied until its query has ended', async () => {
    const { run, started, ended } = reserveOf();
    for (const [project, name] of ALL_SLOTS) void run(project, name);
    const caller = new AbortController();
    const left = run('b', 'b1', { signal: caller.signal });
    void run('d', 'd1');
    await settled();
    caller.abort();
    await expect(left).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await settled();
    await settled();
    expect(ended).toStrictEqual(['b1']);
    expect(started).toContain('d1');
  });
});
