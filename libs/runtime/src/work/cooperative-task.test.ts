import { runSync, runCooperatively, type Steps } from './cooperative-task.js';

function* counting(to: number): Steps<number> {
  for (let at = 0; at < to; at++) yield;
  return to;
}

describe('work in pieces', () => {
  it('asks for a pause wherever it may be interrupted, and waits when it is given one', async () => {
    let asked = 0;
    const resumed: number[] = [];
    const pause = () =>
      ++asked % 2 === 0 ? Promise.resolve(asked).then((at) => void resumed.push(at)) : undefined;
    expect(await runCooperatively(counting(5), pause)).toBe(5);
    expect([asked, resumed]).toEqual([5, [2, 4]]);
  });

  it('fails with what the work fails with', async () => {
    const failing = (function* (): Steps<number> {
      yield;
      throw new Error('broken');
    })();
    await expect(runCooperatively(failing, () => undefined)).rejects.toThrow('broken');
  });

  it('can be done in one go', () => {
    expect(runSync(counting(3))).toBe(3);
  });
});
