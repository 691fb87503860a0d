import { countUsage } from './count-usage.js';
import type { UsageReport } from './usage-report.js';

/**
 * Event of a session with small numbers as ids: its parent, and the prompt tokens that it reports (completion
 * tokens are a tenth, a token costs a cent).
 */
interface Described extends Partial<Omit<UsageReport, 'id'>> {
  readonly below?: number;
  readonly call?: number;
  readonly sum?: number;
}

type Session = Readonly<Record<number, Described>> | ReadonlyMap<number, Described>;

function used(events: Session) {
  const pairs =
    events instanceof Map ? [...(events as ReadonlyMap<number, Described>)] : Object.entries(events);
  const entries = pairs.map(([id, event]: [string | number, Described]) => ({ ...event, id: Number(id) }));
  const parents = new Map(entries.map(({ id, below = 0 }) => [id, below]));
  const reports = entries.flatMap(({ id, call, sum, ...reported }) => {
    const tokens = call ?? sum;
    if (tokens === undefined) return [];
    const amounts = {
      promptTokens: tokens,
      completionTokens: tokens / 10,
      totalTokens: tokens * 1.1,
      cost: tokens / 100,
    };
    const none = { trace: 0, response: 0, counts: 0, isCostEstimated: false, unpricedModel: '' };
    return [{ ...none, ...amounts, ...reported, id, isSum: call === undefined }];
  });
  return countUsage(parents, reports);
}

/** Random tree of calls below steps, each seen by one to three layers with up to two other events between them, and some by one beside them. */
function layeredCalls(random: (below: number) => number) {
  const events = new Map<number, Described>();
  const steps = [0];
  const add = (event: Described) => (events.set(events.size + 1, event), events.size);
  const anyStep = () => steps[random(steps.length)] ?? 0;
  const addCall = (call: number, counts: number) => {
    const same = { call, counts, response: counts, trace: 1 };
    let below = anyStep();
    // A layer that does not hold the span of the client: it is beside it.
    if (random(2) === 0) add({ below, ...same });
    below = add({ below, ...same });
    for (let layers = random(3); layers > 0; layers--) {
      for (let between = random(3); between > 0; between--) below = add({ below });
      below = add({ below, ...same });
    }
  };
  let total = 0;
  for (let counts = 1 + random(6); counts > 0; counts--) {
    const tokens = (1 + random(50)) * 10;
    total += tokens;
    addCall(tokens, counts);
    steps.push(add({ below: anyStep() }));
  }
  return { events, total };
}

const promptTokens = (events: Session) => used(events).promptTokens;
/** A call that reports tokens and no cost. */
const unpriced = (call: number, unpricedModel = 'm') => ({ call, cost: 0, unpricedModel });

describe('the usage of a session', () => {
  test('is the sum of its calls', () => {
    expect(used({ 1: { call: 100 }, 2: { call: 50, below: 1 } })).toEqual({
      promptTokens: 150,
      completionTokens: 15,
      totalTokens: expect.closeTo(165) as number,
      cost: 1.5,
      unpricedModels: [],
    });
    const none = { promptTokens: 0, completionTokens: 0, totalTokens: 0, cost: 0, unpricedModels: [] };
    expect(used({})).toEqual(none);
  });

  test('excludes the total of an agent with calls below it, at any depth', () => {
    expect(
      promptTokens({
        1: { sum: 100 },
        2: { below: 1 },
        3: { below: 2, call: 60 },
        4: { below: 1, call: 40 },
      }),
    ).toBe(100);
  });

  test('includes the total of an agent without calls, and not those of its steps', () => {
    expect(promptTokens({ 1: { sum: 100 }, 2: { below: 1, sum: 60 }, 3: { below: 2, sum: 60 } })).toBe(100);
  });

  test('decides for each agent of a trace separately', () => {
    const trace = 7;
    const withCalls = { 1: { sum: 100, trace }, 2: { below: 1, call: 100, trace } };
    expect(promptTokens({ ...withCalls, 3: { sum: 30, trace } })).toBe(130);
    expect(
      promptTokens({
        9: { sum: 130, trace },
        1: { ...withCalls[1], below: 9 },
        2: withCalls[2],
        3: { below: 9, sum: 30, trace },
      }),
    ).toBe(130);
  });

  test('excludes values that the parts of a call repeat', () => {
    expect(promptTokens({ 1: { call: 100 }, 2: { below: 1, sum: 100 }, 3: { below: 2, sum: 100 } })).toBe(
      100,
    );
    expect(
      promptTokens({
        1: { call: 100 },
        2: { below: 1, sum: 70 },
        3: { below: 2, call: 70 },
        4: { below: 2, sum: 5 },
      }),
    ).toBe(175);
  });

  test('includes one of several calls below one event with the same response, model and counts', () => {
    const call = { below: 1, call: 10, response: 5, counts: 6, trace: 7 };
    expect(promptTokens({ 1: {}, 2: call, 3: call, 4: call })).toBe(10);
    expect(promptTokens({ 1: {}, 2: call, 3: call, 4: { ...call, below: 3 } })).toBe(10);
    for (const other of [{ response: 6 }, { response: 0 }, { counts: 7 }, { trace: 8 }, { below: 9 }])
      expect(promptTokens({ 1: {}, 2: call, 3: { ...call, ...other } })).toBe(20);
    const reported = { ...call, cost: 0.5 };
    expect(used({ 1: {}, 2: reported, 3: { ...call, isCostEstimated: true } }).cost).toBe(0.5);
    expect(used({ 1: {}, 2: { ...call, isCostEstimated: true }, 3: reported }).cost).toBe(0.5);
    const unknown = { ...call, ...unpriced(10) };
    for (const session of [
      { 1: {}, 2: unknown, 3: reported },
      { 1: {}, 2: reported, 3: unknown },
    ])
      expect(used(session)).toMatchObject({ promptTokens: 10, cost: 0.5, unpricedModels: [] });
  });

  test.each([
    ['the same response', { response: 5 }, { response: 5 }, 10],
    ['the same model and counts', { counts: 5 }, { counts: 5 }, 10],
    ['another response', { response: 5 }, { response: 6 }, 20],
    ['nothing to tell', {}, {}, 20],
  ])('includes a call directly below a call with %s', (_, outer, inner, expected) => {
    expect(promptTokens({ 1: { call: 10, ...outer }, 2: { below: 1, call: 10, ...inner } })).toBe(expected);
  });

  test.each([
    ['an event that is no call', {}, 10],
    ['a call without a report of its tokens', { call: 0 }, 10],
    ['another call', { call: 3, counts: 6 }, 23],
  ])('counts a call that two see once, with %s between them', (_, between, expected) => {
    expect(
      promptTokens({
        1: { call: 10, counts: 5 },
        2: { below: 1, ...between },
        3: { below: 2, call: 10, counts: 5 },
      }),
    ).toBe(expected);
  });

  test('counts both of two calls below one that neither repeats, and the inner of each repetition', () => {
    expect(
      promptTokens({
        1: { call: 10, counts: 5 },
        2: { below: 1, call: 10, counts: 5 },
        3: { below: 1, call: 4, counts: 6 },
      }),
    ).toBe(14);
  });

  test.each([
    ['reported', 'estimated', 3],
    ['estimated', 'reported', 2],
    ['reported', 'reported', 2],
    ['estimated', 'estimated', 2],
  ])('has of a call that two see the reported cost: outer %s, inner %s', (outer, inner, cost) => {
    const session = {
      1: { call: 10, counts: 5, cost: 3, isCostEstimated: outer === 'estimated' },
      2: { below: 1 },
      3: { below: 2, call: 10, counts: 5, cost: 2, isCostEstimated: inner === 'estimated' },
    };
    expect(used(session)).toMatchObject({ promptTokens: 10, cost });
  });

  test('is that of the real calls when one to three layers see each, in any tree', () => {
    const seed = Date.now() % 2 ** 31;
    let state = seed;
    const random = (below: number) => (state = (state * 48_271) % (2 ** 31 - 1)) % below;
    for (let round = 0; round < 300; round++) {
      const { events, total } = layeredCalls(random);
      expect({ seed, used: promptTokens(events) }).toEqual({ seed, used: total });
    }
  });

  test('takes the cost from a total if the calls report only tokens', () => {
    expect(used({ 1: { sum: 100 }, 2: { below: 1, ...unpriced(100) } })).toMatchObject({
      promptTokens: 100,
      cost: 1,
      unpricedModels: [],
    });
  });

  const layer = (more: Described) => ({ counts: 5, ...more });
  test.each<[string, Session, number | null, string[]]>([
    ['of one call', { 1: unpriced(10), 2: { call: 10 } }, null, ['m']],
    ['of a total', { 1: { sum: 10, cost: 0, unpricedModel: 'unknown' }, 2: { call: 10 } }, null, ['unknown']],
    ['of a call beside another whose total is known', { 1: { sum: 9 }, 2: unpriced(10) }, null, ['m']],
    [
      'of a call below a total that does not count',
      { 1: { sum: 9 }, 2: { below: 1, call: 4 }, 3: { below: 1, ...unpriced(5) } },
      null,
      ['m'],
    ],
    ['of both layers', { 1: layer(unpriced(10)), 2: { below: 1, ...layer(unpriced(10)) } }, null, ['m']],
    [
      'of no call: an outer layer knows it',
      { 1: layer({ call: 10 }), 2: { below: 1, ...layer(unpriced(10)) } },
      0.1,
      [],
    ],
    [
      'of no call: an inner layer knows it',
      { 1: layer(unpriced(10)), 2: { below: 1, ...layer({ call: 10 }) } },
      0.1,
      [],
    ],
    [
      'of no call: the innermost of three knows it',
      {
        1: layer(unpriced(10)),
        2: { below: 1, ...layer(unpriced(10)) },
        3: { below: 2, ...layer({ call: 10 }) },
      },
      0.1,
      [],
    ],
    [
      'of the retry that a layer sees beside the priced one',
      {
        1: layer(unpriced(10)),
        2: { below: 1, ...layer({ call: 10 }) },
        3: { below: 1, ...layer(unpriced(10)) },
      },
      null,
      ['m'],
    ],
    [
      'of no total: its calls have it',
      { 1: { sum: 9, cost: 0, unpricedModel: 'unknown' }, 2: { below: 1, call: 0, cost: 3 } },
      3,
      [],
    ],
    ['of no call: all cost nothing', { 1: { call: 10, cost: 0 } }, 0, []],
  ])('has an unknown cost %s', (_, session, cost, unpricedModels) => {
    expect(used(session)).toMatchObject({ cost, unpricedModels });
  });

  test('names the first 20 models without a price, each once', () => {
    const names = Array.from({ length: 30 }, (_, i) => `m${String(i).padStart(2, '0')}`);
    const calls = [...names, ...names].reverse().map((model, i) => [i + 1, unpriced(1, model)] as const);
    expect(used(Object.fromEntries(calls))).toMatchObject({ cost: null, unpricedModels: names.slice(0, 20) });
  });

  test('is not doubled while events between an agent and its calls are missing', () => {
    const trace = 7;
    expect(
      promptTokens({
        1: { sum: 100, trace },
        3: { below: 2, call: 60, trace },
        4: { below: 2, call: 40, trace },
      }),
    ).toBe(100);
    expect(promptTokens({ 1: { sum: 100, trace }, 3: { below: 2, sum: 60, trace } })).toBe(100);
    expect(promptTokens({ 1: { sum: 100, trace }, 3: { below: 2, call: 60, trace: 8 } })).toBe(160);
  });

  test('counts a cycle once', () => {
    expect(promptTokens({ 1: { below: 2, sum: 100 }, 2: { below: 1, sum: 100 } })).toBe(100);
    expect(promptTokens({ 1: { below: 2, sum: 100 }, 2: { below: 1 }, 3: { below: 2, call: 100 } })).toBe(
      100,
    );
    expect(promptTokens({ 1: { below: 1, call: 100 } })).toBe(100);
  });

  test('does not change when events with totals wrap it, in any order of the events', () => {
    const seed = Date.now() % 2 ** 31;
    let state = seed;
    const random = (below: number) => (state = (state * 48_271) % (2 ** 31 - 1)) % below;
    for (let round = 0; round < 300; round++) {
      const size = 2 + random(12);
      const calls = Array.from(
        { length: size },
        (_, i) => [i + 1, { below: random(i + 1), call: random(3) * 10, trace: 7 }] as const,
      );
      const total = calls.reduce((sum, [, { call }]) => sum + call, 0);
      const wrapped = calls.map(([id, event]) =>
        event.below === 0 ? ([id, { ...event, below: 100 }] as const) : ([id, event] as const),
      );
      const shuffled = [
        [101, { sum: total, trace: 7 }] as const,
        [100, { below: 101, sum: total, trace: 7 }] as const,
        ...wrapped,
      ];
      shuffled.sort(() => random(3) - 1);
      expect({ seed, used: promptTokens(new Map<number, Described>(shuffled)) }).toEqual({
        seed,
        used: total,
      });
    }
  });

  test('takes linear time for a deep session', () => {
    const deep = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, i) => [i + 1, { below: i, sum: 20_000 - i, trace: 1 }]),
    );
    const before = process.cpuUsage();
    expect(promptTokens(deep)).toBe(20_000);
    // Measures processor time, because other processes may be busy. Walking up from every event would take
    // more than ten seconds.
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(3_000);
  });
});
