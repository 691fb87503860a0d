import { DECLARATIONS, OPERATIONS, PATTERNS, variablesOf } from '../test/operations.js';
import { parseTemplate, type Template } from './template.js';
import { TemplateError } from './template-error.js';

const LENGTH = 2 ** 15;
/** The length that a length is compared with is this part of it. */
const PARTS = 8;
/** What a length may cost, relative to a part of it: 2.5 for each doubling. */
const MAX_RATIO = 2.5 ** Math.log2(PARTS);
/**
 * Below it the timer and the compiler decide. An operation that is quadratic takes longer: the square of the length is 10 ms of the fastest
 * search for a single character.
 */
const MIN_CPU_MS = 5;
/** An operation that looks steep is rendered in as many rounds, or for this time: other work of the machine is not in every one. */
const MAX_ROUNDS = 24;
const MAX_ROUNDS_MS = 2_000;
/** A millisecond of CPU, and up to 30 more when a text of {@link LENGTH} is split. */
const LOOP_STEPS = 4_000;
const MAX_LOOP_MS = 80;
const MAX_LOOPS = 9;
/** What a loop may cost on a slow machine, relative to one whose operation is a step and nothing else. */
const MAX_LOOP_RATIO = 160;

/** CPU time of the process, in milliseconds, of a rendering with all limits but that of the time. */
function costOf(template: Template, variables: object, maxSteps = 100_000): number {
  const before = process.cpuUsage();
  try {
    template.render(variables, { maxMs: Infinity, maxSteps });
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/**
 * Whether a length costs more than {@link MAX_RATIO} times a part of it, by the least cost of several renderings, and by their sum too: the
 * first leaves out what else the machine does, the second has the same share of garbage collections in both.
 */
function isSteep(template: Template, part: object, whole: object): boolean {
  if (costOf(template, whole) <= MIN_CPU_MS) return false;
  const ofWhole: number[] = [];
  const ofParts: number[] = [];
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    ofWhole.push(costOf(template, whole));
    for (let left = PARTS; left > 0; left--) ofParts.push(costOf(template, part));
    const [sum, sumOfParts] = [sumOf(ofWhole), sumOf(ofParts)];
    const isFlat =
      Math.min(...ofWhole) <= Math.max(MAX_RATIO * Math.min(...ofParts), MIN_CPU_MS) ||
      sum <= (MAX_RATIO / PARTS) * sumOfParts;
    if (isFlat) return false;
    if (sum + sumOfParts > MAX_ROUNDS_MS) return true;
  }
  return true;
}

const sumOf = (costs: readonly number[]) => costs.reduce((sum, cost) => sum + cost, 0);

/** A loop that takes all steps that there are. */
const loopOf = (operation: string) =>
  parseTemplate(`${DECLARATIONS}{% for i in range(${LOOP_STEPS}) %}{% set _ = ${operation} %}{% endfor %}`);

/** Whether a rendering costs more than {@link MAX_LOOP_MS}, and than other loops beside it, each time. */
function isUncharged(template: Template, variables: object): boolean {
  const steps = loopOf('i');
  return Array.from({ length: MAX_LOOPS }).every(() => {
    const cost = costOf(template, variables, LOOP_STEPS);
    return cost > MAX_LOOP_MS && cost > MAX_LOOP_RATIO * costOf(steps, variables, LOOP_STEPS);
  });
}

describe('the cost of an operation', () => {
  it.each(Object.keys(PATTERNS))('grows as the length of %s at most', (pattern) => {
    const [part, whole] = [LENGTH / PARTS, LENGTH].map((length) => variablesOf(pattern, length));
    const steep = OPERATIONS.filter((operation) =>
      isSteep(parseTemplate(`${DECLARATIONS}{% set _ = ${operation} %}`), part!, whole!),
    );
    expect(steep).toEqual([]);
  });

  it.each(['surrogates', 'a match that almost begins', 'letters with a longer case', 'characters to escape'])(
    'is charged, so that repeating it on %s ends with the steps',
    (pattern) => {
      const variables = variablesOf(pattern, LENGTH);
      const uncharged = OPERATIONS.filter((operation) => isUncharged(loopOf(operation), variables));
      expect(uncharged).toEqual([]);
    },
  );

  it('of keys that ignore the case is charged for each key, once', () => {
    const template = parseTemplate("{{ items|groupby('x', t)|length }}");
    const variables = { items: Array(10).fill('a'), t: '\ud800'.repeat(LENGTH) };
    const stepsOfKeys = (10 * 8 * LENGTH) / 1_024;
    expect(() => template.render(variables, { maxSteps: stepsOfKeys })).toThrow('steps');
    expect(template.render(variables, { maxSteps: 1.6 * stepsOfKeys })).toBe('1');
  });
});
