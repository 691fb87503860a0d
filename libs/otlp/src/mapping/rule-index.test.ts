import { CONVENTIONS } from '../conventions/catalogue.js';
import type { Convention } from '../conventions/rule.js';
import { ALWAYS, MAX_DETECTED_CONVENTIONS, RuleIndex } from './rule-index.js';

const conventions = (count: number, always: boolean): Convention[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `c${index}`,
    title: `Convention ${index}`,
    precedence: index,
    detectors: [`sign.${index}`],
    always,
    rules: [{ key: 'shared', to: 'config.model', about: 'Model' }],
  }));

describe('the index of the rules of all conventions', () => {
  it('tells the largest number of conventions apart that are detected, beside any number that always apply', () => {
    const index = new RuleIndex([...conventions(100, true), ...conventions(MAX_DETECTED_CONVENTIONS, false)]);
    const detected = Array.from(
      { length: MAX_DETECTED_CONVENTIONS },
      (_, at) => (index.find(`sign.${at}`)?.detectors ?? 0) & ~ALWAYS,
    );
    expect(new Set(detected).size).toBe(MAX_DETECTED_CONVENTIONS);
    const ofRules = index.find('shared')?.rules.map(({ convention }) => convention) ?? [];
    expect(ofRules).toEqual([...Array.from({ length: 100 }, () => ALWAYS), ...detected]);
    for (const bit of detected) expect(bit & (bit - 1)).toBe(0);
    expect(detected).not.toContain(0);
  });

  it('refuses one more, so that no convention shares the bit of another', () =>
    expect(() => new RuleIndex(conventions(MAX_DETECTED_CONVENTIONS + 1, false))).toThrow(
      'at most 30 conventions can be detected',
    ));

  it('ranks every convention of the catalogue differently, so that the order of attributes decides nothing', () =>
    expect(new Set(CONVENTIONS.map(({ precedence }) => precedence)).size).toBe(CONVENTIONS.length));
});
