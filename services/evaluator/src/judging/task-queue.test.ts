import { TaskQueue, type Task } from './task-queue.js';

const LIMITS = { total: 4, perProject: 2 };
const queueOf = (maxTasks = 100, maxPerProject = 50) =>
  new TaskQueue({ maxTasks, maxPerProject, limitsOf: () => LIMITS });
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
    const queue = queueOf(3, 2);
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
