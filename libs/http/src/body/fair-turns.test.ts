import { FairTurns } from './fair-turns.js';

/** Work that holds the event loop. */
function holdLoop(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

describe('turns on the event loop', () => {
  it('are given at once while the loop is free', () => {
    const turns = new FairTurns();
    expect(turns.take('a')).toBeUndefined();
    expect(turns.take('b')).toBeUndefined();
  });

  it('are given at once again after all work is done', async () => {
    const turns = new FairTurns();
    await turns.take('a');
    holdLoop(30);
    await turns.take('a');
    await new Promise((resume) => setImmediate(() => setImmediate(resume)));
    expect(turns.take('a')).toBeUndefined();
  });

  it('go round between projects, however much one of them asks for', async () => {
    const turns = new FairTurns();
    void turns.take('x');
    holdLoop(30);
    const order: string[] = [];
    const asked = [...Array<string>(50).fill('loud'), 'quiet', 'calm', 'quiet'];
    await Promise.all(asked.map(async (project) => (await turns.take(project), order.push(project))));
    expect(order.slice(0, 6)).toEqual(['loud', 'quiet', 'calm', 'loud', 'quiet', 'loud']);
    expect(order).toHaveLength(53);
  });

  it('let timers run while much is waiting', async () => {
    const turns = new FairTurns();
    void turns.take('x');
    holdLoop(30);
    let [done, doneAtTimer] = [0, -1];
    const timer = new Promise<void>((rang) => setTimeout(() => ((doneAtTimer = done), rang()), 1));
    const work = async () => {
      await turns.take('a');
      holdLoop(10);
      done++;
    };
    await Promise.all([timer, ...Array.from({ length: 30 }, work)]);
    expect(done).toBe(30);
    expect(doneAtTimer).toBeLessThan(30);
  });
});
