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
