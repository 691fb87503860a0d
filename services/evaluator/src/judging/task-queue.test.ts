import { TaskQueue, type ProjectBounds, type Task } from './task-queue.js';

const LIMITS = { total: 4, perProject: 2, reserve: 0 };
const queueOf = (maxTasks = 100, ofProject: Partial<ProjectBounds> = {}, limits = LIMITS) =>
  new TaskQueue({
    maxTasks,
    ofProject: { tasksOfPool: 50, tasks: 100, pools: 10, ...ofProject },
    limitsOf: () => limits,
  });
const taskOf = (projectId: string, eventId: string, pool = 'python'): Task => ({
  key: `${projectId}/${eventId}/${pool}`,
  ...{ pool, projectId, eventId, partition: 0, evaluations: [] },
});
const always = () => true;

describe('the queue of evaluations', () => {
  it('gives projects turns, however many tasks one of them has', () => {
    const queue = queueOf();
    for (let n = 0; n < 20; n++) queue.add(taskOf('loud', `${n}`));
    queue.add(taskOf('quiet', 'a'));
    const started = Array.from({ length: 5 }, () => queue.next(always)?.projectId);
    expect(started).toEqual(['loud', 'quiet', 'loud', undefined, undefined]);
    expect([queue.waiting, queue.running]).toEqual([18, 3]);
  });

  it('leaves room in a pool to each project that comes later, while tasks of others do not end', () => {
    const queue = queueOf(2_000, {}, { total: 32, perProject: 16, reserve: 4 });
    const startAll = (projectId: string) => {
      for (let n = 0; n < 50; n++) queue.add(taskOf(projectId, `${n}`));
      let started = 0;
      for (let task = queue.next(always); task !== undefined; task = queue.next(always)) started++;
      return started;
    };
    expect(['a', 'b', 'c', 'd', 'e', 'f'].map(startAll)).toEqual([16, 8, 4, 2, 1, 1]);
    // All places are taken: one of the reserve for each project without any.
    expect(['g', 'h', 'i'].map(startAll)).toEqual([1, 1, 1]);
    for (const id of ['1', '2']) queue.add(taskOf('quiet', id));
    const first = queue.next(always);
    expect([first?.projectId, queue.next(always), startAll('j')]).toEqual(['quiet', undefined, 0]);
    queue.done(first!);
    const next = queue.next(always);
    queue.done(next!);
    expect([next?.projectId, queue.next(always)?.projectId, queue.running]).toEqual(['quiet', 'j', 36]);
  });

  it('gives two projects whose tasks end the same share of a pool', () => {
    const queue = queueOf(
      10_000,
      { tasksOfPool: 2_000, tasks: 4_000 },
      { total: 30, perProject: 16, reserve: 0 },
    );
    for (const id of ['a', 'b']) for (let n = 0; n < 1_000; n++) queue.add(taskOf(id, `${n}`));
    const running: Task[] = [];
    for (let turn = 0; turn < 500; turn++) {
      for (let task = queue.next(always); task !== undefined; task = queue.next(always)) running.push(task);
      queue.done(running.shift()!);
    }
    const ofA = running.filter(({ projectId }) => projectId === 'a').length;
    expect([running.length >= 18, Math.abs(running.length - 2 * ofA) <= 2]).toEqual([true, true]);
  });

  it('bounds the pools of a project and what it has in all of them, so that many names of providers cost others nothing', () => {
    const queue = queueOf(100, { tasksOfPool: 5, tasks: 12, pools: 3 });
    const added = (projectId: string, pools: number) =>
      Array.from({ length: pools }, (_, pool) =>
        [1, 2, 3, 4, 5, 6].filter((n) => queue.add(taskOf(projectId, `${n}`, `model/${pool}`))),
      ).map(({ length }) => length);
    expect(added('loud', 5)).toEqual([5, 5, 2, 0, 0]);
    expect(added('quiet', 1)).toEqual([5]);
    const running = queue.next(({ projectId }) => projectId === 'loud')!;
    queue.clear();
    queue.done(running);
    expect(added('loud', 4)).toEqual([5, 5, 2, 0]);
  });

  it('keeps the budgets of pools apart, and leaves out a pool that may not start', () => {
    const queue = queueOf();
    for (const pool of ['slow', 'python']) for (let n = 0; n < 3; n++) queue.add(taskOf('p', `${n}`, pool));
    const pools = (mayStart: (task: Task) => boolean) =>
      Array.from({ length: 4 }, () => queue.next(mayStart)?.pool);
    expect(pools(({ pool }) => pool !== 'slow')).toEqual(['python', 'python', undefined, undefined]);
    expect(pools(always)).toEqual(['slow', 'slow', undefined, undefined]);
  });

  it('runs one task of a key at a time, and replaces the one that waits', () => {
    const queue = queueOf();
    const first = taskOf('p', 'a');
    queue.add(first);
    expect(queue.next(always)).toBe(first);
    queue.add({ ...first });
    const latest = { ...first };
    queue.add(latest);
    expect([queue.waiting, queue.waitingTask(first), queue.next(always)]).toEqual([1, latest, undefined]);
    queue.done(first);
    expect(queue.next(always)).toBe(latest);
    queue.done(latest);
    expect([queue.waiting, queue.running, queue.has(first)]).toEqual([0, 0, false]);
  });

  it('refuses tasks beyond its bounds, of one project and of all', () => {
    const queue = queueOf(3, { tasksOfPool: 2 });
    expect([taskOf('a', '1'), taskOf('a', '2'), taskOf('a', '3')].map((task) => queue.add(task))).toEqual([
      true,
      true,
      false,
    ]);
    expect(queue.add(taskOf('a', '1'))).toBe(true);
    expect([queue.add(taskOf('b', '1')), queue.add(taskOf('c', '1'))]).toEqual([true, false]);
  });

  it('is empty after it was cleared, but for what runs', () => {
    const queue = queueOf();
    for (let n = 0; n < 3; n++) queue.add(taskOf('p', `${n}`));
    const running = queue.next(always);
    queue.clear();
    expect([queue.waiting, queue.running, queue.next(always)]).toEqual([0, 1, undefined]);
    queue.done(running!);
    expect(queue.running).toBe(0);
  });
});
