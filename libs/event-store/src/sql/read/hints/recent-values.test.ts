import { RecentValues } from './recent-values.js';

describe('recent values', () => {
  it('are those that were set last', () => {
    const values = new RecentValues<number>(2);
    values.set('p', 'a', 1);
    values.set('p', 'b', 2);
    values.set('p', 'a', 3);
    values.set('p', 'c', 4);
    expect(['a', 'b', 'c'].map((name) => values.get('p', name))).toEqual([3, undefined, 4]);
    values.delete('p', 'a');
    values.set('p', 'd', 5);
    expect(['a', 'c', 'd'].map((name) => values.get('p', name))).toEqual([undefined, 4, 5]);
  });

  it('of one project are not evicted by another one with more, and names of projects are distinct', () => {
    const values = new RecentValues<number>(10);
    for (const name of ['a', 'b', 'c']) values.set('small', name, 1);
    for (let index = 0; index < 1_000; index++) values.set('large', `${index}`, 2);
    values.set('large', 'a', 2);
    expect(['a', 'b', 'c'].map((name) => values.get('small', name))).toEqual([1, 1, 1]);
    expect([values.get('large', 'a'), values.get('large', '993')]).toEqual([2, undefined]);
    expect(['994', '999'].map((name) => values.get('large', name))).toEqual([2, 2]);
  });

  it('of many projects with one each are those that were set last', () => {
    const values = new RecentValues<number>(3);
    for (let index = 0; index < 10; index++) values.set(`p${index}`, 'a', index);
    expect([6, 7, 8, 9].map((index) => values.get(`p${index}`, 'a'))).toEqual([undefined, 7, 8, 9]);
  });
});
