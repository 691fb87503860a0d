import { runSync, runCooperatively, type Steps } from './cooperative-task.js';

function* count(to: number): Steps<number> {
  for (let at = 0; at < to; at++) yield;
  return to;
}

describe('a cooperative task', () => {
  it('asks to yield after every step and waits when it gets a promise', async () => {
    let asked = 0;
    const resumed: number[] = [];
    const yieldToEventLoop = () =>
      ++asked % 2 === 0 ? Promise.resolve(asked).then((at) => void resumed.push(at)) : undefined;
    expect(await runCooperatively(count(5), yieldToEventLoop)).toBe(5);
    expect([asked, resumed]).toEqual([5, [2, 4]]);
  });

  it('rejects with the error of the task', async () => {
    const failing = (function* (): Steps<number> {
      yield;
      throw new Error('broken');
    })();
    await expect(runCooperatively(failing, () => undefined)).rejects.toThrow('broken');
  });

  it('runs synchronously without interruption', () => {
    expect(runSync(count(3))).toBe(3);
  });
});
