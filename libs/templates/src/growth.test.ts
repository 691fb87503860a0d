import { FILTER_NAMES, TEST_NAMES } from './builtin-names.js';
import { DICT_METHODS, LIST_METHODS } from './builtins/collection-methods.js';
import { STRING_METHODS } from './builtins/string-methods.js';
import { parseTemplate } from './template.js';
import { TEMPLATE_ERROR, TemplateError } from './template-error.js';

/** A rendering with all steps takes about 30 ms of CPU; one without limits takes minutes, or all memory. */
const MAX_CPU_MS = 2_000;
const variables = {
  text: 'a b'.repeat(60_000),
  items: Array.from({ length: 10_000 }, (_, index) => ({ a: `item ${index}` })),
  numbers: Array.from({ length: 10_000 }, (_, index) => index),
};

/** Renders with all limits but that of the time, which would hide a missing one. Returns what it costs and its error. */
function attack(source: string): { readonly cpuMs: number; readonly error?: TemplateError } {
  const before = process.cpuUsage();
  const cost = () => {
    const { user, system } = process.cpuUsage(before);
    return { cpuMs: (user + system) / 1_000 };
  };
  try {
    parseTemplate(source).render(variables, { maxMs: Infinity });
    return cost();
  } catch (error) {
    if (error instanceof TemplateError) return { ...cost(), error };
    throw new Error(`not a TemplateError: ${source}`, { cause: error });
  }
}

/** Returns the sources whose cost is beyond the limit, or whose error has another code. */
function uncontained(sources: readonly string[]): string[] {
  return sources.filter((source) => {
    const { cpuMs, error } = attack(source);
    return cpuMs > MAX_CPU_MS || (error !== undefined && error.code !== TEMPLATE_ERROR);
  });
}

const SUBJECTS = ['text', 'items', '10 ** 4000'];
const ARGUMENTS = ['', '10 ** 9', 'text', '10 ** 9, text'];
const calls = SUBJECTS.flatMap((subject) => ARGUMENTS.map((args) => ({ subject, args })));

describe('what makes a template grow', () => {
  it.each([...FILTER_NAMES])(
    'the filter %s is contained with large values, also when it is repeated',
    (name) => {
      const sources = calls.map(({ subject, args }) => {
        const filter = args === '' ? name : `${name}(${args})`;
        return `{{ ((${subject})|${filter})|${filter}|${filter} }}`;
      });
      expect(uncontained(sources)).toEqual([]);
    },
  );

  it('the tests and methods are contained with large values', () => {
    const tests = [...TEST_NAMES].flatMap((name) =>
      SUBJECTS.flatMap((subject) => [`{{ (${subject}) is ${name} }}`, `{{ (${subject}) is ${name}(text) }}`]),
    );
    const methods = [
      ...[...STRING_METHODS.keys()].map((name) => ['text', name] as const),
      ...[...LIST_METHODS.keys()].map((name) => ['numbers', name] as const),
      ...[...DICT_METHODS.keys()].map((name) => ['items[0]', name] as const),
    ].flatMap(([subject, name]) => ARGUMENTS.map((args) => `{{ ${subject}.${name}(${args}) }}`));
    expect(uncontained([...tests, ...methods])).toEqual([]);
  });

  it.each([
    ['string multiplication', "{{ 'x' * 10 ** 9 }}", 'string'],
    [
      'a string that doubles',
      `{% set n = namespace(s='x') %}${'{% set n.s = n.s * 2 %}'.repeat(40)}`,
      'string',
    ],
    [
      'nested ranges',
      '{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}',
      'steps',
    ],
    ['recursion', '{% macro m(n) %}{{ m(n) }}{{ m(n) }}{% endmacro %}{{ m(1) }}', 'deeper'],
    [
      'a caller that calls itself',
      '{% macro m() %}{% call m() %}{{ caller() }}{% endcall %}{% endmacro %}{{ m() }}',
      'deeper',
    ],
    ['center', "{{ 'x'|center(10 ** 9) }}", 'string'],
    ['indent', "{{ ('\\n' * 9999)|indent(9999, true, true) }}", 'string'],
    ['format', "{{ '%9999999999d'|format(1) }}", 'string'],
    ['replace', "{{ text|replace('a', text) }}", 'string'],
    ['join', '{{ numbers|join(text) }}', 'string'],
    [
      'tojson of nested lists',
      `{% set n = namespace(v=[1]) %}${'{% set n.v = [n.v, n.v] %}'.repeat(40)}{{ n.v|tojson }}`,
      'steps',
    ],
    ['repeated output', `{% for a in range(9999) %}{{ text }}{% endfor %}`, 'output'],
  ])('%s ends with the code of templates', (_what, source, reason) => {
    const { cpuMs, error } = attack(source);
    expect(error).toMatchObject({ code: TEMPLATE_ERROR, message: expect.stringContaining(reason) as string });
    expect(cpuMs).toBeLessThan(MAX_CPU_MS);
  });
});

describe('the grammar of other template languages', () => {
  it.each([
    "{% extends 'a' %}",
    '{% extends a %}',
    "{% import 'a' as b %}",
    "{% from 'a' import b %}",
    "{% from 'a' import b as c with context %}",
    "{% include 'a' %}",
    "{% include ['a', 'b'] ignore missing %}",
    '{{ r/a+/g }}',
    "{{ r/(a+)+$/.test('aaaaaaaaaaaaaaaaaaaaaaaaaaaa!') }}",
    "{{ 'a'|replace(r/a/, 'b') }}",
    '{% asyncEach a in b %}',
    '{% asyncAll a in b %}',
    '{% ifAsync a %}{% endif %}',
    '{% switch a %}{% case 1 %}',
    '{% autoescape false %}',
    '{% do a.append(1) %}',
    '{% trans %}a',
    '{{ super() }}{{ self.a() }}',
    '{{ a === b }}',
    '{{ a && b }}',
    '{{ a ? b : c }}',
    '{{ (a) => a }}',
    '{{ `a${b}` }}',
    '{{ new Date() }}',
  ])('%s is refused', (source) => expect(attack(source).error).toMatchObject({ code: TEMPLATE_ERROR }));
});
