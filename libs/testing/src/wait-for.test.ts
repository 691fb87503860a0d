import { patience } from './patience.js';
import { waitFor } from './wait-for.js';

describe('waitFor', () => {
  it('returns the first value that is neither false nor undefined', async () => {
    const values = [undefined, false, 0];
    expect(await waitFor('a value', () => values.shift())).toBe(0);
  });

  it('names what it has waited for when time is up', async () => {
    await expect(waitFor('the event is stored', () => false, { withinMs: 20 })).rejects.toThrow(
      `the event is stored: not within ${20 * patience} ms`,
    );
  });

  it('rejects with the error of a condition', async () => {
    const failing = () => Promise.reject(new Error('no such table'));
    await expect(waitFor('rows', failing)).rejects.toThrow('no such table');
  });
});
