import { NewestHours } from './newest-hours.js';

describe('NewestHours', () => {
  it('knows the hour of a page for ten seconds', () => {
    let now = 0;
    const hours = new NewestHours(() => now);
    expect(hours.get('a')).toBeUndefined();
    hours.set('a', 3_600);
    now = 9_999;
    expect(hours.get('a')).toBe(3_600);
    now = 10_000;
    expect(hours.get('a')).toBeUndefined();
  });

  it('forgets the page that was added first when there are more than a thousand', () => {
    const hours = new NewestHours(() => 0);
    for (let page = 0; page < 1_000; page++) hours.set(`${page}`, page);
    hours.set('0', 7);
    hours.set('new', 8);
    expect([hours.get('0'), hours.get('1'), hours.get('2'), hours.get('new')]).toEqual([7, undefined, 2, 8]);
  });
});
