import { env as environment } from 'node:process';
import fc from 'fast-check';
import { leavesOfSpan, lostLeaves } from '../test/conservation.js';
import { mapSpans } from '../test/map-one.js';
import { ALL_VECTORS, randomSpan } from '../test/random-span.js';

const seed = Number(environment.SEED ?? Date.now() % 1_000_000_007);

describe(`every value that a span carries is in its event (SEED=${seed})`, () => {
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

  it('also two spellings of a value that a third one outranks', () => {
    const spellings = { 'llm.provider': 'openai', 'gen_ai.system': 'OpenAI' };
    const attributes = { ...spellings, 'gen_ai.provider.name': 'another one' };
    const mapped = mapSpans([{ attributes }]);
    expect(lostLeaves(leavesOfSpan({ attributes }), mapped)).toEqual([]);
    expect(mapped.events[0]).toMatchObject({
      config: { provider: 'another one' },
      metadata: { system: 'OpenAI', 'llm.provider': 'openai' },
    });
  });

  it('also under names that end like a field of a message', () => {
    const names = [
      'error.type',
      'exception.type',
      'gen_ai.output.type',
      'gen_ai.tool.type',
      'mastra.span.type',
    ];
    const named = [...names, 'app.role', 'app.index', 'type', 'role', 'index', 'event.name'];
    const attributes = Object.fromEntries(named.map((name) => [name, `canary of ${name}`]));
    const span = { attributes, events: [{ name: 'exception', attributes }] };
    const leaves = leavesOfSpan(span);
    const nothing = { ...mapSpans([span]), events: [], sessions: [] };
    expect(lostLeaves(leaves, nothing)).toEqual(leaves);
    expect(leaves).toHaveLength(2 * named.length);
    expect(lostLeaves(leaves, mapSpans([span]))).toEqual([]);
  });

  it('also attributes of links, of the resource and of the scope', () => {
    const link = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), attributes: [] };
    const attributes = [{ key: 'reason', value: { stringValue: 'in a link' } }];
    const { events } = mapSpans([{ links: [{ ...link, attributes }] }], { 'host.name': 'in a resource' });
    expect(JSON.stringify(events)).toMatch(/in a link.*|in a resource.*/);
    for (const text of ['in a link', 'in a resource']) expect(JSON.stringify(events)).toContain(text);
  });
});
