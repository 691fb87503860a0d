import { DeadLetterShares } from './dead-letter-shares.js';

const limits = { perProject: { letters: 60, bytes: 5_000 }, total: { letters: 100, bytes: 10_000 } };

function fill(shares: DeadLetterShares, project: string, bytes = 1): number {
  let letters = 0;
  while (shares.reserve(project, bytes)) letters++;
  return letters;
}

describe('DeadLetterShares', () => {
  it('lets one project fill half of the store and leaves room for others', () => {
    const shares = new DeadLetterShares(limits);
    expect(fill(shares, 'a')).toBe(50);
    expect(fill(shares, 'b')).toBe(25);
    expect(fill(shares, 'c')).toBe(13);
    expect(shares.reserve('d', 1)).toBe(true);
  });

  it('bounds letters and bytes of a project', () => {
    const shares = new DeadLetterShares({ ...limits, total: { letters: 1_000, bytes: 100_000 } });
    expect(fill(shares, 'a')).toBe(60);
    expect(fill(shares, 'b', 1_000)).toBe(5);
  });

  it('makes room when letters are removed', () => {
    const shares = new DeadLetterShares(limits);
    fill(shares, 'a', 1_000);
    expect(shares.reserve('a', 1_000)).toBe(false);
    shares.remove('a', 1_000);
    expect(shares.reserve('a', 1_000)).toBe(true);
  });
});
