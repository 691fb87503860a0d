import { parseTemplate } from './template.js';
import { TemplateError } from './template-error.js';

const variables = {
  inputs: { text: 'abc', list: [1, 2, 3], ['__proto__']: 'x' },
  payload: '{{ 7 * 7 }}{% raw %}{# c #}${1}<%= 1 %>',
  nested: { again: '{{ payload }}' },
  long: 'x'.repeat(200_000),
};
/** Without the limit of time, so that the result does not depend on the load of the machine. */
const render = (source: string) => parseTemplate(source).render(variables, { maxMs: Infinity });

/** Renders, or returns the error; anything but a TemplateError fails the test. */
function outcomeOf(source: string): string {
  try {
    return render(source);
  } catch (error) {
    if (error instanceof TemplateError) return `refused: ${error.message}`;
    throw error;
  }
}

describe('templates that grow', () => {
  const doubling = (step: string) =>
    `{% set ns = namespace(v=['a']) %}${`{% set ns.v = ${step} %}`.repeat(60)}{{ ns.v }}`;
  it.each([
    ["{{ 'a' * 10**9 }}", 'string'],
    ['{{ [1] * 10**9 }}', 'list'],
    ['{{ (1, 2) * 10**9 }}', 'list'],
    ['{{ 10**(10**9) }}', 'integer'],
    ["{{ 'a' * 10**30 }}", 'string'],
    ['{{ 9**(9**9) }}', 'integer'],
    ['{{ 2**10000 * 2**10000 }}', 'integer'],
    [doubling('ns.v + ns.v'), 'list'],
    [doubling('[ns.v, ns.v]'), 'steps'],
    [doubling('ns.v ~ ns.v'), 'string'],
    [
      "{% set ns = namespace(d={}) %}{% for i in range(90) %}{% set ns.d = {'a': ns.d, 'b': ns.d} %}{% endfor %}{{ ns.d|tojson }}",
      'steps',
    ],
    ['{{ range(100000000)|length }}', 'range'],
    ['{{ range(10**30) }}', 'range'],
    [
      '{% for i in range(300) %}{% for j in range(300) %}{% for k in range(300) %}{% endfor %}{% endfor %}{% endfor %}',
      'steps',
    ],
    ['{% for a in range(10000) %}{% for b in range(10000) %}{{ a }}{% endfor %}{% endfor %}', 'steps'],
    ['{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}', 'deeper'],
    ['{% macro m(n) %}{{ m(n + 1) }}{{ m(n + 1) }}{% endmacro %}{{ m(0) }}', 'deeper'],
    ['{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}', 'deeper'],
    ['{% set xs = [1] %}{% for x in xs %}{% set _ = xs.append(x) %}{% endfor %}', 'steps'],
    ['{% set xs = [] %}{% set _ = xs.append(xs) %}{{ xs }}', 'deeply'],
    ['{% set xs = [] %}{% set _ = xs.append(xs) %}{{ xs == [xs] }}{{ xs|tojson }}', 'deeply'],
    ["{{ '%1000000000d' % 1 }}", 'string'],
    ["{{ '%*d' % (10**12, 1) }}", 'string'],
    ["{{ '%.1000000000f' % 1 }}", 'string'],
    ["{{ '{:1000000000}'.format(1) }}", 'string'],
    ["{{ '{:{}}'.format(1, 10**9) }}", 'string'],
    ["{{ 'a'|center(100000000) }}", 'string'],
    ["{{ 'a'.ljust(10**9) }}{{ 'a'.zfill(10**9) }}", 'string'],
    ["{{ 'a'|indent(10**9) }}", 'string'],
    ["{{ {'a': [1]}|tojson(indent=10**9) }}", 'string'],
    ["{{ long|replace('', long) }}", 'string'],
    ["{{ long|replace('x', 'yyyyyyyyyyyyyyyyyyyy') }}", 'string'],
    ['{{ long|list|join(long) }}', 'list'],
    ["{{ range(10000)|map('string')|join('x' * 1000) }}", 'string'],
    ["{% set s = 'x' * 1000000 %}{{ s }}{{ s }}", 'output'],
    ["{% for i in range(10000) %}{% set s = 'x' * 1000000 %}{% endfor %}", 'large values'],
    ["{{ 'x' * 1000 ~ 'é' * 600000 }}", 'output'],
    ['{{ range(10000)|batch(1, 0)|slice(100000000)|list }}', 'list'],
    ['{{ [1]|batch(10**9, 0)|list }}', 'list'],
    ['{{ 1.5|round(10**9) }}', 'precision'],
  ])('refuses %s within its limits', (source, reason) => {
    expect(outcomeOf(source)).toMatch(new RegExp(`^refused: .*${reason}`));
  });

  it.each([
    ['parentheses', `{{ ${'('.repeat(6_000)}1${')'.repeat(6_000)} }}`],
    ['lists', `{{ ${'['.repeat(6_000)} }}`],
    ['operators', `{{ ${'1 + '.repeat(6_000)}1 }}`],
    ['signs', `{{ ${'-'.repeat(6_000)}1 }}`],
    ['negations', `{{ ${'not '.repeat(6_000)}1 }}`],
    ['filters', `{{ 1${'|string'.repeat(6_000)} }}`],
    ['attributes', `{{ inputs${'.a'.repeat(6_000)} }}`],
    ['conditions', `{{ ${'1 if 1 else '.repeat(2_000)}1 }}`],
    ['blocks', '{% if 1 %}'.repeat(2_000)],
    ['loops', '{% for a in b %}'.repeat(1_000)],
    ['macros', `${'{% macro m() %}'.repeat(2_000)}`],
  ])('refuses nested %s', (_what, source) => {
    expect(outcomeOf(source)).toMatch(/^refused: .*(?:nests|unexpected)/);
  });

  it('refuses a template that is too long', () => {
    expect(outcomeOf('a'.repeat(300_000))).toMatch(/longer than/);
  });

  it('accepts 20,000 tokens and refuses one more with its line', () => {
    // Two for each item, less a comma, and seven: the delimiters, brackets and filter, and the end.
    const list = `{{ [${'1,'.repeat(9_996)}1]|length }}`;
    expect(outcomeOf(list)).toBe('9997');
    expect(outcomeOf(`\n${list}`)).toBe('refused: the template has more than 20,000 tokens');
    expect(() => parseTemplate(`\n${list}`)).toThrow(expect.objectContaining({ line: 2 }) as Error);
  });

  it.each([
    ['a chain of additions', `{{ ${'a+'.repeat(131_000)}a }}`, 'tokens'],
    [
      'named arguments',
      `{{ dict(${Array.from({ length: 25_000 }, (_, n) => `a${n}=1`).join()}) }}`,
      'tokens',
    ],
    [
      'named arguments below the limit',
      `{{ dict(${Array.from({ length: 4_900 }, (_, n) => `a${n}=1`).join()}, a1=1) }}`,
      'repeated',
    ],
    ['tokens on many lines', `{{ [${`a,${'\n'.repeat(23)}`.repeat(9_900)}`, 'unexpected end'],
    ['a name of combining marks', `{{ a${'\u0315\u0300'.repeat(100_000)} }}`, 'name is longer'],
    ['an integer', `{{ ${'9'.repeat(260_000)} }}`, 'integer has more'],
  ])('refuses %s without reading it again and again', (_what, source, reason) => {
    const before = process.cpuUsage();
    expect(outcomeOf(source)).toContain(reason);
    const { user, system } = process.cpuUsage(before);
    // Parsing took seconds when each token or name read the others.
    expect((user + system) / 1_000).toBeLessThan(1_000);
  });

  it('stops at the time limit', () => {
    const template = parseTemplate(
      '{% for i in range(10000) %}{% for j in range(10000) %}{% endfor %}{% endfor %}',
    );
    expect(() => template.render({}, { maxSteps: Infinity, maxMs: 5 })).toThrow(
      'the template takes longer than 5 ms',
    );
  });

  it('stays within the time limit with a sort of many items', () => {
    const numbers = Array.from({ length: 90_000 }, (_, index) => (index * 7919) % 90_001);
    expect(() => parseTemplate('{{ numbers|sort|first }}').render({ numbers })).toThrow(TemplateError);
  });
});

describe('templates that look for the prototype', () => {
  it.each([
    'inputs.constructor',
    "inputs['constructor']",
    "inputs['con' + 'structor']",
    'inputs.toString',
    'inputs.hasOwnProperty',
    'inputs.valueOf',
    'inputs.__class__',
    "''.__class__",
    "''.constructor",
    "''|attr('__class__')",
    "''|attr('constructor')",
    "[]|map(attribute='constructor')|first",
    "[[]]|map(attribute='constructor')|first",
    "[{}]|map(attribute='__proto__')|first",
    '[].constructor',
    '[].map',
    '{}.__proto__',
    '(1).constructor',
    '(1.5).toFixed',
    'range.constructor',
    'range.call',
    'range.name',
    'range.__globals__',
    'namespace().constructor',
    'namespace().__proto__',
    'namespace().attributes',
    'cycler(1).values',
    'cycler(1).constructor',
    'joiner.attribute',
    'missing_variable',
    'constructor',
    'toString',
    '__proto__',
    'process',
    'globalThis',
    'self',
    'this',
    "dict(constructor=1)['toString']",
  ])('finds nothing at %s', (path) => expect(render(`[{{ ${path} }}]`)).toBe('[]'));

  it.each([
    '{{ range.constructor("return process.pid")() }}',
    "{{ ''.__class__.mro() }}",
    "{{ ''.__class__.__mro__[1].__subclasses__() }}",
    "{{ ''['constructor']['constructor']('return 1')() }}",
    '{{ inputs.constructor.constructor("return 1")() }}',
    '{{ cycler.__init__.__globals__.os.popen("id") }}',
    '{{ lipsum.__globals__ }}',
    '{{ config.__class__.__init__ }}',
    '{{ inputs.list.map("x") }}',
    '{{ inputs.list.constructor() }}',
    "{{ 'x'.toString() }}",
    "{{ 'x'.repeat(5) }}",
    '{{ inputs.hasOwnProperty("x") }}',
    "{{ '{0.constructor.constructor}'.format('') }}",
    '{% set inputs.__proto__ = 1 %}',
    '{{ []|map("constructor")|list }}{{ [1]|map("constructor")|list }}',
    '{{ [1]|select("toString")|list }}',
    '{{ 1|constructor }}',
    '{{ 1 is toString }}',
    '{{ a"&Function`return\\x20process\\x2epid```&"b }}',
    '{% set a"&Function`return 1```&"b = 1 %}',
    "{% import 'os' as os %}",
    "{% include '/etc/passwd' %}",
    '{{ loop.constructor() }}',
    '{% for x in [1] %}{{ loop.__class__() }}{% endfor %}',
    '{{ self.__init__ }}',
  ])('refuses %s', (source) => expect(outcomeOf(source)).toMatch(/^refused/));

  it('treats prototype names as ordinary keys', () => {
    expect(render("{{ inputs['__proto__'] }} {{ inputs.__proto__ }}")).toBe('x x');
    expect(
      render("{% set d = {'__proto__': 1, 'constructor': 2} %}{{ d.constructor }}{{ d.__proto__ }}{{ d }}"),
    ).toBe("21{'__proto__': 1, 'constructor': 2}");
    expect(render('{% set n = namespace() %}{% set n.__proto__ = 5 %}{{ n.__proto__ }}{{ {}.x }}')).toBe('5');
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });
});

describe('text of events', () => {
  it('is rendered literally, once', () => {
    expect(render('{{ payload }}|{{ nested.again }}')).toBe(`${variables.payload}|{{ payload }}`);
    expect(render('{% set x = payload %}{{ x ~ x }}')).toBe(variables.payload.repeat(2));
    expect(render("{% macro m(a) %}{{ a }}{% endmacro %}{{ m(payload)|replace('zz', payload) }}")).toBe(
      variables.payload,
    );
  });

  it('never changes', () => {
    const before = structuredClone(variables.inputs);
    render(
      '{% set _ = inputs.list.append(4) %}{% set _ = inputs.update({"a": 1}) %}{% set _ = inputs.list.clear() %}{{ inputs }}',
    );
    expect(variables.inputs).toEqual(before);
  });
});
