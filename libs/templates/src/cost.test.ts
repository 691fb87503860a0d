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
const REPETITIONS = 8;
/** An operation is steep when it is so in each of these attempts: other threads of the process can cost CPU time during one. */
const ATTEMPTS = 3;
/** Two ms of CPU when all operations cost what they charge, and more on a machine that does other things. */
const LOOP_STEPS = 4_000;
const MAX_LOOP_MS = 80;

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

/** Returns the least cost of several renderings; of one when that is already small enough. */
function leastCost(render: () => number, enough: number): number {
  let least = render();
  for (let left = REPETITIONS; least > enough && left > 0; left--) least = Math.min(least, render());
  return least;
}

describe('the cost of an operation', () => {
  it.each(Object.keys(PATTERNS))('doubles at most with the length of %s', (pattern) => {
    const [half, whole] = [LENGTH / 2, LENGTH].map((length) => variablesOf(pattern, length));
    const isSteep = (operation: string) => {
      const template = parseTemplate(`${DECLARATIONS}{% set _ = ${operation} %}`);
      const cost = (variables: object, enough: number) =>
        leastCost(() => costOf(template, variables), enough);
      const enough = MAX_RATIO * MIN_CPU_MS;
      if (cost(whole!, enough) <= enough) return false;
      const allowed = MAX_RATIO * Math.max(cost(half!, 0), MIN_CPU_MS);
      return cost(whole!, allowed) > allowed;
    };
    const steep = OPERATIONS.filter((operation) =>
      Array.from({ length: ATTEMPTS }).every(() => isSteep(operation)),
    );
    expect(steep).toEqual([]);
  });

  it.each(['surrogates', 'a match that almost begins', 'letters with a longer case', 'characters to escape'])(
    'is charged, so that repeating it on %s ends with the steps',
    (pattern) => {
      const variables = variablesOf(pattern, LENGTH);
      const uncharged = OPERATIONS.filter((operation) => {
        const loop = `{% for i in range(10000) %}{% set _ = ${operation} %}{% endfor %}`;
        const template = parseTemplate(`${DECLARATIONS}${loop}`);
        return leastCost(() => costOf(template, variables, LOOP_STEPS), MAX_LOOP_MS) > MAX_LOOP_MS;
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
