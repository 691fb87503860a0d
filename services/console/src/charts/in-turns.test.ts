import { makeTurns } from './in-turns.js';

it('lets at most so many run at a time, in order, also after failures', async () => {
  const inTurn = makeTurns(2);
  let running = 0;
  let most = 0;
  const order: number[] = [];
  const works = Array.from({ length: 6 }, (_, nth) =>
    inTurn(async () => {
      most = Math.max(most, ++running);
      order.push(nth);
      await new Promise(setImmediate);
      running--;
      if (nth === 1) throw new Error('refused');
      return nth;
    }),
  );
  const ends = await Promise.allSettled(works);
  expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  expect([most, order]).toEqual([2, [0, 1, 2, 3, 4, 5]]);
});
