import { AppError } from '@assay/errors';
import { FairScheduler } from './fair-scheduler.js';
import type { ScheduledTask } from './scheduled-task.js';

/** Scheduler with a clock that only simulated work advances, so that the load of the machine does not count. */
class TestScheduler extends FairScheduler {
  #time = 0;

  constructor() {
    super(() => this.#time);
  }

  /** Simulates work that blocks the event loop. */
  block(ms: number): void {
    this.#time += ms;
  }
}

/** Occupies the loop until the next work phase, so that every later task has to wait. */
function keepBusy(scheduler: TestScheduler): void {
  void scheduler.open('busy').begin(0);
  scheduler.block(30);
}

/** Processes one request whose body is complete: waits for its turn, blocks the loop, then calls `done`. */
async function request(
  scheduler: TestScheduler,
  project: string,
  { bytes = 1, ms = 0 },
  done: (project: string) => void,
): Promise<void> {
  const task = scheduler.open(project);
  await task.begin(bytes);
  scheduler.block(ms);
  done(project);
  task.close();
}

function nextTurn(): Promise<void> {
  return new Promise((resume) => setImmediate(() => setImmediate(resume)));
}

describe('FairScheduler', () => {
  it('starts tasks immediately while the event loop is free', () => {
    const scheduler = new TestScheduler();
    expect(scheduler.open('a').begin(1)).toBeUndefined();
    expect(scheduler.open('b').begin(1)).toBeUndefined();
  });

  it('lets the requests of a project that is alone wait, and rejects the excess of one that is not', async () => {
    const scheduler = new TestScheduler();
    void scheduler.open('').begin(0);
    const begin = () => {
      const task = scheduler.open('a');
      task.assertCapacity();
      return request(scheduler, 'a', { bytes: 1_000_000 }, () => undefined);
    };
    scheduler.block(30);
    const waiting = Array.from({ length: 100 }, begin);
    void scheduler.open('b').begin(1);
    expect(begin).toThrow(AppError);
    await Promise.all(waiting);
  });

  it('starts tasks immediately again after all work is done', async () => {
    const scheduler = new TestScheduler();
    keepBusy(scheduler);
    await scheduler.open('a').begin(1);
    await nextTurn();
    expect(scheduler.open('a').begin(1)).toBeUndefined();
  });

  it('gives the next turn to the project that has received the least time', async () => {
    const scheduler = new TestScheduler();
    keepBusy(scheduler);
    const order: string[] = [];
    const done = (project: string) => void order.push(project);
    const asked = [...Array<string>(30).fill('loud'), 'quiet', 'calm', 'quiet'];
    await Promise.all(
      asked.map((project) => request(scheduler, project, { ms: project === 'loud' ? 4 : 1 }, done)),
    );
    expect(order.slice(0, 3).sort()).toEqual(['calm', 'loud', 'quiet']);
    expect(order.slice(0, 5).filter((project) => project === 'quiet')).toHaveLength(2);
    expect(order).toHaveLength(33);
  });

  it('starts the first task of an idle project immediately while other projects wait', async () => {
    const scheduler = new TestScheduler();
    keepBusy(scheduler);
    const loud = Array.from({ length: 10 }, () => request(scheduler, 'loud', { ms: 2 }, () => undefined));
    const newcomer = scheduler.open('newcomer');
    expect(newcomer.begin(1)).toBeUndefined();
    // Only the first one: the time it received counts.
    expect(scheduler.open('newcomer').begin(1)).toBeInstanceOf(Promise);
    await Promise.all(loud);
  });

  it('interrupts long tasks every few milliseconds, so that others run in between', async () => {
    const scheduler = new TestScheduler();
    keepBusy(scheduler);
    const order: string[] = [];
    const runCooperatively = async (task: ScheduledTask) => {
      await task.begin(1);
      for (let part = 0; part < 20; part++) {
        scheduler.block(2);
        await task.yieldToEventLoop();
      }
      order.push('long');
    };
    const long = runCooperatively(scheduler.open('large'));
    await Promise.all([long, request(scheduler, 'small', {}, (project) => void order.push(project))]);
    expect(order).toEqual(['small', 'long']);
  });

  it('charges work after I/O, so that a project that reads much waits behind others', async () => {
    const scheduler = new TestScheduler();
    keepBusy(scheduler);
    const order: string[] = [];
    const done = (project: string) => void order.push(project);
    const send = (project: string) => request(scheduler, project, { bytes: 0, ms: 1 }, done);
    const first = send('other');
    scheduler.open('reader').charge(50);
    await Promise.all([first, ...['reader', 'quiet', 'quiet', 'quiet'].map(send)]);
    expect(order.filter((project) => project !== 'other')).toEqual(['quiet', 'quiet', 'quiet', 'reader']);
  });

  it('makes work after I/O wait for its turn while others wait', async () => {
    const scheduler = new TestScheduler();
    keepBusy(scheduler);
    const loud = Array.from({ length: 5 }, () => request(scheduler, 'loud', { ms: 2 }, () => undefined));
    const reader = scheduler.open('loud');
    const turn = reader.resume();
    expect(turn).toBeInstanceOf(Promise);
    await turn;
    reader.endSlice();
    await Promise.all(loud);
  });

  it('rejects requests without a body while more than a second of them waits', async () => {
    const scheduler = new TestScheduler();
    for (let n = 0; n < 10; n++) {
      const task = scheduler.open('loud');
      await task.begin(0);
      task.charge(20);
      task.close();
    }
    keepBusy(scheduler);
    const waiting = Array.from({ length: 80 }, () =>
      request(scheduler, 'loud', { bytes: 0 }, () => undefined),
    );
    expect(() => scheduler.open('loud').assertCapacity()).toThrow(AppError);
    scheduler.open('quiet').assertCapacity();
    await Promise.all(waiting);
  });

  it('lets timers run while many tasks wait', async () => {
    const scheduler = new TestScheduler();
    keepBusy(scheduler);
    let [done, doneAtTimer] = [0, -1];
    const timer = new Promise<void>((rang) => setTimeout(() => ((doneAtTimer = done), rang()), 1));
    const many = Array.from({ length: 500 }, () =>
      request(scheduler, 'a', { bytes: 0, ms: 10 }, () => void done++),
    );
    await Promise.all([timer, ...many]);
    expect(done).toBe(500);
    expect(doneAtTimer).toBeLessThan(500);
  });

  it('rejects requests before their body is read while more than a second of work of their project waits, without affecting others', async () => {
    const scheduler = new TestScheduler();
    keepBusy(scheduler);
    const bytes = 1_000_000;
    const waiting = Array.from({ length: 10 }, () => request(scheduler, 'loud', { bytes }, () => undefined));
    expect(() => scheduler.open('loud').assertCapacity()).toThrow(AppError);
    scheduler.open('quiet').assertCapacity();
    await Promise.all(waiting);
    scheduler.open('loud').assertCapacity();
  });

  it.each([
    ['a small body', 20],
    ['a large body', 100_000],
  ])('accepts a few requests after %s took very long once', async (_, bytes) => {
    const scheduler = new TestScheduler();
    const ignore = () => undefined;
    for (let slow = 0; slow < 5; slow++) {
      keepBusy(scheduler);
      const task = scheduler.open('a');
      await task.begin(bytes);
      scheduler.block(5_000);
      await nextTurn();
      task.close();
    }
    keepBusy(scheduler);
    const few = Array.from({ length: 20 }, () => request(scheduler, 'a', { bytes: 10_000, ms: 1 }, ignore));
    expect((await Promise.allSettled(few)).map(({ status }) => status)).toEqual(
      Array<string>(20).fill('fulfilled'),
    );
  });

  it('rejects bodies that have arrived once twice the limit waits', async () => {
    const scheduler = new TestScheduler();
    keepBusy(scheduler);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, async () => {
        await scheduler.open('loud').begin(1_000_000);
      }),
    );
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused.length).toBeGreaterThan(30);
    expect(refused.length).toBeLessThan(50);
  });
});
