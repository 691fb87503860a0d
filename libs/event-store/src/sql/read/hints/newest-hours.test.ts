import { NewestHours } from './newest-hours.js';

describe('NewestHours', () => {
  it('knows the hour of a page for ten seconds', () => {
    let now = 0;
    const hours = new NewestHours(1_000, () => now);
    expect(hours.get('p', 'a')).toBeUndefined();
    hours.set('p', 'a', 3_600);
    now = 9_999;
    expect(hours.get('p', 'a')).toBe(3_600);
    now = 10_000;
    expect(hours.get('p', 'a')).toBeUndefined();
  });

  it('forgets the page that was added first when there are more than a thousand', () => {
    const hours = new NewestHours(1_000, () => 0);
    for (let page = 0; page < 1_000; page++) hours.set('p', `${page}`, page);
    hours.set('p', '0', 7);
    hours.set('p', 'new', 8);
    expect([hours.get('p', '0'), hours.get('p', '1'), hours.get('p', '2'), hours.get('p', 'new')]).toEqual([
      7,
      undefined,
      2,
      8,
    ]);
  });
});
