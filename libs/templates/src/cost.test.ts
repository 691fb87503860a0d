import { DECLARATIONS, OPERATIONS, PATTERNS, variablesOf } from '../test/operations.js';
import { parseTemplate, type Template } from './template.js';
import { TemplateError } from './template-error.js';

const LENGTH = 2 ** 15;
const MAX_RATIO = 2.5;
/**
 * Below it the timer, the compiler and the garbage collector decide. An operation that is quadratic takes longer: the square of the length
 * is 10 ms of the fastest search for a single character.
 */
const MIN_CPU_MS = 2;
/** A whole and a half length are rendered in turn, so that both meet the same machine; the least cost of each counts. */
const MIN_PAIRS = 4;
/** An operation that looks steep is rendered as often as this, or for this time: other work of the machine is not in every rendering. */
const MAX_PAIRS = 30;
const MAX_PAIRS_MS = 2_000;
/** Two ms of CPU when all operations cost what they charge, and more on a machine that does other things. */
const LOOP_STEPS = 4_000;
const MAX_LOOP_MS = 80;
const MAX_LOOPS = 9;

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

/** Whether the whole length costs more than {@link MAX_RATIO} times the half of it. */
function isSteep(template: Template, half: object, whole: object): boolean {
  let leastWhole = costOf(template, whole);
  if (leastWhole <= MAX_RATIO * MIN_CPU_MS) return false;
  let leastHalf = Infinity;
  let spent = 0;
  for (let pair = 1; pair <= MAX_PAIRS && (pair <= 2 * MIN_PAIRS || spent <= MAX_PAIRS_MS); pair++) {
    const costs = [costOf(template, half), costOf(template, whole)] as const;
    spent += costs[0] + costs[1];
    leastHalf = Math.min(leastHalf, costs[0]);
    leastWhole = Math.min(leastWhole, costs[1]);
    const isEnough = pair >= MIN_PAIRS || leastWhole <= MAX_RATIO * MIN_CPU_MS;
    if (isEnough && leastWhole <= MAX_RATIO * Math.max(leastHalf, MIN_CPU_MS)) return false;
  }
  return true;
}

/** Whether a rendering costs more than {@link MAX_LOOP_MS} each time. */
function isUncharged(template: Template, variables: object): boolean {
  return Array.from({ length: MAX_LOOPS }).every(() => costOf(template, variables, LOOP_STEPS) > MAX_LOOP_MS);
}

describe('the cost of an operation', () => {
  it.each(Object.keys(PATTERNS))('doubles at most with the length of %s', (pattern) => {
    const [half, whole] = [LENGTH / 2, LENGTH].map((length) => variablesOf(pattern, length));
    const steep = OPERATIONS.filter((operation) =>
      isSteep(parseTemplate(`${DECLARATIONS}{% set _ = ${operation} %}`), half!, whole!),
    );
    expect(steep).toEqual([]);
  });

  it.each(['surrogates', 'a match that almost begins', 'letters with a longer case', 'characters to escape'])(
    'is charged, so that repeating it on %s ends with the steps',
    (pattern) => {
      const variables = variablesOf(pattern, LENGTH);
      const uncharged = OPERATIONS.filter((operation) => {
        const loop = `{% for i in range(10000) %}{% set _ = ${operation} %}{% endfor %}`;
        return isUncharged(parseTemplate(`${DECLARATIONS}${loop}`), variables);
      });
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
