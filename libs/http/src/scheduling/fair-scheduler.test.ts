import { AppError } from '@assay/errors';
import { FairScheduler } from './fair-scheduler.js';
import type { ScheduledTask } from './scheduled-task.js';

/** Scheduling by a clock that only work moves on, so that the machine's own hiccups are nobody's work. */
class TestedTurns extends FairScheduler {
  #time = 0;

  constructor() {
    super(() => this.#time);
  }

  /** Work that holds the event loop. */
  hold(ms: number): void {
    this.#time += ms;
  }
}

/** Takes up the loop until the next stretch of work, so that everything after it has to wait. */
function keepBusy(turns: TestedTurns): void {
  void turns.open('busy').begin(0);
  turns.hold(30);
}

/** One request after its body has come: waits for its turn, holds the loop, and tells that it is done. */
async function request(
  turns: TestedTurns,
  project: string,
  { bytes = 1, ms = 0 },
  done: (project: string) => void,
): Promise<void> {
  const work = turns.open(project);
  await work.begin(bytes);
  turns.hold(ms);
  done(project);
  work.close();
}

function nextTurn(): Promise<void> {
  return new Promise((resume) => setImmediate(() => setImmediate(resume)));
}

describe('turns on the event loop', () => {
  it('are given at once while the loop is free', () => {
    const turns = new TestedTurns();
    expect(turns.open('a').begin(1)).toBeUndefined();
    expect(turns.open('b').begin(1)).toBeUndefined();
  });

  it('are given at once again after all work is done', async () => {
    const turns = new TestedTurns();
    keepBusy(turns);
    await turns.open('a').begin(1);
    await nextTurn();
    expect(turns.open('a').begin(1)).toBeUndefined();
  });

  it('go to the project that was given the least time, however much another one asks for', async () => {
    const turns = new TestedTurns();
    keepBusy(turns);
    const order: string[] = [];
    const done = (project: string) => void order.push(project);
    const asked = [...Array<string>(30).fill('loud'), 'quiet', 'calm', 'quiet'];
    await Promise.all(
      asked.map((project) => request(turns, project, { ms: project === 'loud' ? 4 : 1 }, done)),
    );
    expect(order.slice(0, 3).sort()).toEqual(['calm', 'loud', 'quiet']);
    expect(order.slice(0, 5).filter((project) => project === 'quiet')).toHaveLength(2);
    expect(order).toHaveLength(33);
  });

  it('are given at once to a project that has sent nothing while others wait for theirs', async () => {
    const turns = new TestedTurns();
    keepBusy(turns);
    const loud = Array.from({ length: 10 }, () => request(turns, 'loud', { ms: 2 }, () => undefined));
    const newcomer = turns.open('newcomer');
    expect(newcomer.begin(1)).toBeUndefined();
    // Only once: what it was given counts.
    expect(turns.open('newcomer').begin(1)).toBeInstanceOf(Promise);
    await Promise.all(loud);
  });

  it('end after a few milliseconds for long work, so that others come in between', async () => {
    const turns = new TestedTurns();
    keepBusy(turns);
    const order: string[] = [];
    const runCooperatively = async (work: ScheduledTask) => {
      await work.begin(1);
      for (let part = 0; part < 20; part++) {
        turns.hold(2);
        await work.pause();
      }
      order.push('long');
    };
    const long = runCooperatively(turns.open('large'));
    await Promise.all([long, request(turns, 'small', {}, (project) => void order.push(project))]);
    expect(order).toEqual(['small', 'long']);
  });

  it('let timers run while much is waiting', async () => {
    const turns = new TestedTurns();
    keepBusy(turns);
    let [done, doneAtTimer] = [0, -1];
    const timer = new Promise<void>((rang) => setTimeout(() => ((doneAtTimer = done), rang()), 1));
    const many = Array.from({ length: 500 }, () =>
      request(turns, 'a', { bytes: 0, ms: 10 }, () => void done++),
    );
    await Promise.all([timer, ...many]);
    expect(done).toBe(500);
    expect(doneAtTimer).toBeLessThan(500);
  });

  it('are refused before the body is read while a project waits for more than a second of work, and only to that project', async () => {
    const turns = new TestedTurns();
    keepBusy(turns);
    const bytes = 1_000_000;
    const waiting = Array.from({ length: 10 }, () => request(turns, 'loud', { bytes }, () => undefined));
    expect(() => turns.open('loud').admit()).toThrow(AppError);
    turns.open('quiet').admit();
    await Promise.all(waiting);
    turns.open('loud').admit();
  });

  it.each([
    ['a small body', 20],
    ['a large body', 100_000],
  ])('are not refused to a few requests because %s took very long once', async (_, bytes) => {
    const turns = new TestedTurns();
    const ignore = () => undefined;
    for (let slow = 0; slow < 5; slow++) {
      keepBusy(turns);
      const work = turns.open('a');
      await work.begin(bytes);
      turns.hold(5_000);
      await nextTurn();
      work.close();
    }
    keepBusy(turns);
    const few = Array.from({ length: 20 }, () => request(turns, 'a', { bytes: 10_000, ms: 1 }, ignore));
    expect((await Promise.allSettled(few)).map(({ status }) => status)).toEqual(
      Array<string>(20).fill('fulfilled'),
    );
  });

  it('are refused to bodies that arrive all the same once twice as much waits', async () => {
    const turns = new TestedTurns();
    keepBusy(turns);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, async () => {
        await turns.open('loud').begin(1_000_000);
      }),
    );
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused.length).toBeGreaterThan(30);
    expect(refused.length).toBeLessThan(50);
  });
});
