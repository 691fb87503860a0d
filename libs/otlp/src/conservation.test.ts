import fc from 'fast-check';
import { leavesOfSpan, lostLeaves } from '../test/conservation.js';
import { mapSpans } from '../test/map-one.js';
import { ALL_VECTORS, randomSpan } from '../test/random-span.js';

const seed = Date.now() % 1_000_000_007;
process.stdout.write(`conservation.test.ts seed ${seed}\n`);

describe('every value that a span carries is in its event', () => {
  it.each(ALL_VECTORS.map(([name, spans]) => ({ name, spans })))('$name', ({ spans }) => {
    const kept = spans.filter(({ attributes }) => attributes?.['logfire.span_type'] !== 'pending_span');
    expect(lostLeaves(kept.flatMap(leavesOfSpan), mapSpans(kept))).toEqual([]);
  });

  it('also when it follows several conventions at the same time', () => {
    fc.assert(
      fc.property(randomSpan, (span) => {
        expect(lostLeaves(leavesOfSpan(span), mapSpans([span]))).toEqual([]);
      }),
      { seed, numRuns: 1_000 },
    );
  });

  it('also attributes of links, of the resource and of the scope', () => {
    const link = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), attributes: [] };
    const attributes = [{ key: 'reason', value: { stringValue: 'in a link' } }];
    const { events } = mapSpans([{ links: [{ ...link, attributes }] }], { 'host.name': 'in a resource' });
    expect(JSON.stringify(events)).toMatch(/in a link.*|in a resource.*/);
    for (const text of ['in a link', 'in a resource']) expect(JSON.stringify(events)).toContain(text);
  });
});
