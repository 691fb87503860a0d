import { RandomTemplates } from '../test/random-templates.js';
import { parseTemplate } from './template.js';
import { TEMPLATE_ERROR, TemplateError } from './template-error.js';

const TEMPLATES = 3_000;
const CANARY = 'canary-4711';

/** Values beside the variables, where a template that leaves them would find the canary. */
function hideCanaries(): () => void {
  Object.defineProperty(Object.prototype, 'leaked', { value: CANARY, configurable: true });
  Object.defineProperty(Array.prototype, 'leaked', { value: CANARY, configurable: true });
  Object.defineProperty(String.prototype, 'leaked', { get: () => CANARY, configurable: true });
  Object.defineProperty(Function.prototype, 'leaked', { value: CANARY, configurable: true });
  Object.defineProperty(globalThis, 'leaked', { value: CANARY, configurable: true });
  return () => {
    for (const holder of [
      Object.prototype,
      Array.prototype,
      String.prototype,
      Function.prototype,
      globalThis,
    ])
      Reflect.deleteProperty(holder, 'leaked');
  };
}

describe('random templates', () => {
  let uncover: () => void;
  beforeAll(() => (uncover = hideCanaries()));
  afterAll(() => uncover());

  it.each([1, 2, 3])(
    'of the seed %i end as text or as an error, and reach nothing but their variables',
    (seed) => {
      const random = new RandomTemplates(seed);
      const variables = {
        text: 'a <b> {{ text }}',
        list: [1, 'two', [3], { a: null }],
        dict: { a: { b: 1.5 } },
        none: null,
      };
      const before = JSON.stringify(variables);
      const outcomes = { text: 0, errors: 0 };
      for (let count = 0; count < TEMPLATES; count++) {
        const source = random.next();
        try {
          const text = parseTemplate(source).render(variables, { maxMs: Infinity, maxSteps: 5_000 });
          outcomes.text++;
          if (/canary|native code|\[object |=>/.test(text)) throw new Error(`reached too much: ${source}`);
        } catch (error) {
          if (!(error instanceof TemplateError) || error.code !== TEMPLATE_ERROR)
            throw new Error(`not a template error: ${source}`, { cause: error });
          if (error.message.includes(CANARY)) throw new Error(`quotes a value: ${source}`);
          outcomes.errors++;
        }
      }
      // Both are frequent, or the generator proves nothing.
      expect(Math.min(outcomes.text, outcomes.errors)).toBeGreaterThan(TEMPLATES / 20);
      expect(JSON.stringify(variables)).toBe(before);
    },
  );
});
