import { makeSampler, MAX_ASKED_PER_SECOND, type SamplerName } from './sampler.js';
import { parseTraceparent, sampledTraceparent } from './trace-parent.js';

const TRACES = 1_000;
/** Trace ids whose random parts are spread evenly. */
const traces = Array.from({ length: TRACES }, (_, index) => ({
  traceId: `${'a'.repeat(18)}${Math.floor((index / TRACES) * 0x10000)
    .toString(16)
    .padStart(4, '0')}${'7'.repeat(10)}`,
  spanId: 'b7ad6b7169203331',
}));
const sampledOf = (name: SamplerName, ratio: number, isSampled: boolean) => {
  let now = 0;
  const sample = makeSampler({ name, ratio, now: () => now++ });
  return traces.filter((trace) => sample({ ...trace, isSampled })).length;
};

describe('the sampler', () => {
  it('takes the share of the traces that the ratio says, the same traces in every process', () => {
    expect(sampledOf('traceidratio', 0.25, false)).toBe(TRACES / 4);
    expect(sampledOf('traceidratio', 0, true)).toBe(0);
    expect(sampledOf('traceidratio', 1, false)).toBe(TRACES);
  });

  it.each([
    ['always_on', TRACES],
    ['always_off', 0],
    ['parentbased_always_on', 0],
  ] as const)('takes with %s %d of the requests whose senders do not ask', (name, expected) => {
    expect(sampledOf(name, 0.01, false)).toBe(expected);
  });

  it('takes what senders ask for, up to a limit', () => {
    expect(sampledOf('parentbased_always_off', 1, true)).toBe(MAX_ASKED_PER_SECOND);
    expect(sampledOf('parentbased_always_on', 0, true)).toBe(TRACES);
  });

  it('takes what senders ask for again a second later', () => {
    let now = 0;
    const sample = makeSampler({ name: 'parentbased_always_off', ratio: 0, now: () => now });
    const parent = { ...traces[0]!, isSampled: true };
    for (let count = 0; count < MAX_ASKED_PER_SECOND; count += 1) expect(sample(parent)).toBe(true);
    expect(sample(parent)).toBe(false);
    now = 1_000;
    expect(sample(parent)).toBe(true);
  });

  it('decides about requests without a parent', () => {
    const decide = (name: SamplerName, ratio: number) =>
      makeSampler({ name, ratio, now: () => 0 })(undefined);
    expect(decide('parentbased_traceidratio', 1)).toBe(true);
    expect(decide('parentbased_traceidratio', 0)).toBe(false);
    expect(decide('parentbased_always_on', 0)).toBe(true);
  });
});

describe('a traceparent', () => {
  const parent = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };

  it('is read as it is written', () => {
    expect(parseTraceparent(sampledTraceparent(parent))).toEqual({ ...parent, isSampled: true });
    expect(parseTraceparent(`00-${parent.traceId}-${parent.spanId}-02`)).toMatchObject({ isSampled: false });
    expect(parseTraceparent(`cc-${parent.traceId}-${parent.spanId}-01-later`)).toMatchObject(parent);
  });

  it.each([
    '',
    'x',
    `ff-${parent.traceId}-${parent.spanId}-01`,
    `00-${'0'.repeat(32)}-${parent.spanId}-01`,
    `00-${parent.traceId}-${'0'.repeat(16)}-01`,
    `00-${parent.traceId.toUpperCase()}-${parent.spanId}-01`,
    `00-${parent.traceId}-${parent.spanId}-011`,
    `00-${parent.traceId}-${parent.spanId}-01-${'x'.repeat(200)}`,
  ])('is ignored when it is %j', (text) => {
    expect(parseTraceparent(text)).toBeUndefined();
  });
});
