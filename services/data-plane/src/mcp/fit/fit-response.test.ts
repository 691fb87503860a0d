import fc from 'fast-check';
import { runSync } from '@assay/runtime';
import { fitResponseSteps, MAX_RESULT_BYTES } from './fit-response.js';

const fit = (value: unknown) =>
  runSync(fitResponseSteps(typeof value === 'string' ? value : JSON.stringify(value)));

describe('a result that is fitted', () => {
  it('is unchanged up to the limit', () => {
    const text = JSON.stringify({ a: 'x'.repeat(MAX_RESULT_BYTES - 8) });
    expect(Buffer.byteLength(text)).toBe(MAX_RESULT_BYTES);
    expect(fit(text)).toEqual({ text });
  });

  it('loses the end of long texts first, and says of which', () => {
    const value = {
      rows: [
        { id: 1, text: 'é'.repeat(200_000) },
        { id: 2, text: 'short' },
      ],
    };
    const { text, note } = fit(value);
    expect(JSON.parse(text)).toEqual({
      rows: [
        { id: 1, text: `${'é'.repeat(2_000)}…` },
        { id: 2, text: 'short' },
      ],
    });
    expect(note).toBe('Cut to stay below 100000 bytes: rows[0].text has 2000 of 200000 characters.');
  });

  it('loses the end of long lists and of objects with many fields', () => {
    const ids = Array.from({ length: 10_000 }, (_, index) => `datapoint ${index}`);
    const { text, note } = fit({ ids, byId: Object.fromEntries(ids.map((id) => [id, true])) });
    const { ids: left } = JSON.parse(text) as { ids: string[] };
    expect(left).toEqual(ids.slice(0, 200));
    expect(note).toContain('ids has 200 of 10000 items; byId has 200 of 10000 fields');
  });

  it('keeps integers digit for digit, and whole characters', () => {
    const { text } = fit(`{"n":12345678901234567890,"t":"${'😀'.repeat(60_000)}"}`);
    expect(text).toContain('"n":12345678901234567890');
    expect((JSON.parse(text) as { t: string }).t).toBe(`${'😀'.repeat(1_000)}…`);
  });

  it('is the beginning of the text when nothing else is short enough', () => {
    const deep = (levels: number): unknown =>
      levels === 0 ? 'x'.repeat(100) : Array.from({ length: 5 }, () => deep(levels - 1));
    const { text, note } = fit(deep(6));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_RESULT_BYTES);
    expect(note).toMatch(/^The first 100000 of \d+ bytes; the JSON is incomplete\.$/);
  });

  it('is never longer than the limit, whatever the value', () => {
    const large = fc.record({
      value: fc.json({ maxDepth: 4 }).map((text) => JSON.parse(text) as unknown),
      times: fc.nat(4_000),
    });
    fc.assert(
      fc.property(large, ({ value, times }) => {
        const { text, note = '' } = fit(Array.from({ length: times }, () => value));
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_RESULT_BYTES);
        expect(note.length).toBeLessThan(4_000);
      }),
      { seed: Date.now(), numRuns: 50 },
    );
  });
});
