import { FairSlots, type FairSlotsOptions } from './fair-slots.js';

/** Slots, with calls that end on demand. */
function slotsWith(options: Partial<FairSlotsOptions> = {}) {
  const slots = new FairSlots({ total: 2, perProject: 1, maxWaiting: 2, maxWaitMs: 60_000, ...options });
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (project: string, name: string, signal?: AbortSignal) => {
    const call = () => {
      started.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    };
    const result = slots.run(project, call, signal);
    result.catch(() => undefined);
    return result;
  };
  const end = async (name: string) => {
    ends.get(name)?.();
    await settled();
  };
  return { slots, run, end, started };
}

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe('FairSlots', () => {
  it('starts a call of another project while one project waits', () => {
    const { run, started } = slotsWith();
    for (const name of ['a1', 'a2', 'a3']) void run('a', name);
    void run('b', 'b1');
    expect(started).toEqual(['a1', 'b1']);
  });

  it('serves projects in turn', async () => {
    const { run, end, started } = slotsWith({ total: 1 });
    for (const name of ['a1', 'a2', 'a3']) void run('a', name);
    for (const name of ['b1', 'b2']) void run('b', name);
    for (const name of ['a1', 'b1', 'a2', 'b2']) await end(name);
    expect(started).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
  });

  it('rejects a call when too many of its project wait, and accepts one of another project', async () => {
    const { run, started } = slotsWith();
    for (const name of ['a1', 'a2', 'a3']) void run('a', name);
    await expect(run('a', 'a4')).rejects.toMatchObject({ code: 'OVERLOADED' });
    void run('b', 'b1');
    expect(started).toEqual(['a1', 'b1']);
  });

  it('rejects a call that waits too long', async () => {
    const { run, end, started } = slotsWith({ maxWaitMs: 1 });
    void run('a', 'a1');
    await expect(run('a', 'a2')).rejects.toMatchObject({ code: 'OVERLOADED' });
    await end('a1');
    expect(started).toEqual(['a1']);
  });

  it('removes a waiting call whose client has disconnected', async () => {
    const { run, end, started } = slotsWith();
    const client = new AbortController();
    void run('a', 'a1');
    const left = run('a', 'a2', client.signal);
    void run('a', 'a3');
    client.abort();
    await expect(left).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await end('a1');
    expect(started).toEqual(['a1', 'a3']);
  });

  it('releases the slot of a call that fails', async () => {
    const { slots, run, started } = slotsWith();
    await expect(slots.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    void run('a', 'a1');
    expect(started).toEqual(['a1']);
  });

  it('leaves room to projects that come later, while calls of others do not end', async () => {
    const { run, end, started } = slotsWith({ total: 16, perProject: 8, maxWaiting: 20, leavesRoom: true });
    const begin = (project: string) => {
      const before = started.length;
      for (let n = 0; n < 10; n++) void run(project, `${project}${n}`);
      return started.length - before;
    };
    expect(['a', 'b', 'c', 'd'].map(begin)).toEqual([8, 4, 2, 1]);
    void run('quiet', 'q1');
    expect(started.at(-1)).toBe('q1');
    await end('q1');
    expect(started).toHaveLength(16);
    await end('a0');
    // Two are free: the project that has none and waits is the first to get one.
    void run('late', 'l1');
    expect(started.at(-1)).toBe('l1');
  });

  it('has a place of the reserve for a project that runs none while those of others do not end', async () => {
    const { run, end, started } = slotsWith({ total: 2, perProject: 2, maxWaiting: 20, reserve: 2 });
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1', 'd1']) void run(name[0]!, name);
    expect(started).toEqual(['a1', 'a2', 'b1', 'c1']);
    await end('b1');
    expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'd1']);
    await end('c1');
    expect(started.at(-1)).toBe('b2');
  });
});
