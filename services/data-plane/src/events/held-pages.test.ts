import { HeldPages } from './held-pages.js';

describe('held pages', () => {
  it('are small when a project has eight others, and other projects are not affected', () => {
    const held = new HeldPages();
    const releases = Array.from({ length: 8 }, () => held.hold('p'));
    expect([held.maxBytes('p'), held.maxBytes('other')]).toEqual([262_144, Infinity]);
    releases[0]?.();
    releases[0]?.();
    expect(held.maxBytes('p')).toBe(Infinity);
    held.hold('p');
    expect(held.maxBytes('p')).toBe(262_144);
  });

  it('are small for all projects when there are 32', () => {
    const held = new HeldPages();
    const releases = Array.from({ length: 32 }, (_, index) => held.hold(`p${index % 8}`));
    expect(held.maxBytes('other')).toBe(262_144);
    releases[0]?.();
    expect(held.maxBytes('other')).toBe(Infinity);
  });
});
