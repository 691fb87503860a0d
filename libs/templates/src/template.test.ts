import { DEFAULT_LIMITS } from './limits.js';
import { TemplateCache } from './template-cache.js';
import { parseTemplate } from './template.js';
import { TemplateError } from './template-error.js';

const render = (source: string, variables: object = {}) =>
  parseTemplate(source).render(variables, { maxMs: Infinity });

function errorOf(run: () => unknown): TemplateError {
  try {
    run();
  } catch (error) {
    if (error instanceof TemplateError) return error;
  }
  throw new Error('expected a TemplateError');
}

describe('parseTemplate', () => {
  it.each([
    ['{{ messages.0.content }}', 'messages[0] instead of messages.0'],
    ['{{ inputs.messages.0 }}', 'inputs.messages[0] instead of inputs.messages.0'],
    ['{% if false %}{{ a.0 }}{% endif %}', 'a[0]'],
    ['{% macro m() %}{{ a.b.12 }}{% endmacro %}', 'a.b[12]'],
    ['{{ f(x)[1].0 }}', 'brackets'],
    ['{% for m in a.0 %}{% endfor %}', 'a[0]'],
    ['{{ a|map(b.0) }}', 'b[0]'],
  ])('refuses the index behind a dot in %s with a hint', (source, hint) => {
    expect(errorOf(() => parseTemplate(source)).message).toContain(hint);
  });

  it.each(['messages.0', '{% raw %}{{ a.0 }}{% endraw %}', '{# a.0 #}', "{{ 'a.0' }}", '{{ 1.0 }}'])(
    'accepts a dot and a digit in %s',
    (source) => expect(() => parseTemplate(source)).not.toThrow(),
  );

  it.each([
    ['a\n\n{{ 1 + }}', 3],
    ['{{ 1 }}\n{% unknown %}', 2],
    ['{% if true %}\n\nno end', 3],
    ["{{ 'a\nb }}", 1],
  ])('states the line of the mistake in %j', (source, line) => {
    const error = errorOf(() => parseTemplate(source));
    expect([error.line, error.code]).toEqual([line, 'template_render_error']);
  });

  it('states the line of the statement that fails when it is rendered', () => {
    expect(errorOf(() => render('a\n{% if true %}\n{{ missing.deeper }}{% endif %}'))).toMatchObject({
      line: 3,
      message: "'missing' is undefined, so it has no attribute 'deeper'",
    });
  });
});

describe('render', () => {
  it('reads whole numbers of the data as integers', () => {
    expect(render('{{ a }} {{ b }} {{ a / 2 }} {{ 1.0 }}', { a: 3.0, b: 0.5 })).toBe('3 0.5 1.5 1.0');
  });

  it('renders the same template for different data', () => {
    const template = parseTemplate('{{ a }}{% set a = 9 %}');
    expect([template.render({ a: 1 }), template.render({ a: 'x' }), template.render({})]).toEqual([
      '1',
      'x',
      '',
    ]);
  });

  it('takes limits for one rendering', () => {
    const template = parseTemplate('{{ a }}');
    expect(() => template.render({ a: 'long' }, { maxOutputBytes: 3 })).toThrow('larger than 3 bytes');
    expect(template.render({ a: 'long' })).toBe('long');
  });

  it('counts bytes of the output, not characters', () => {
    expect(() => parseTemplate('éé').render({}, { maxOutputBytes: 3 })).toThrow(TemplateError);
  });

  it('renders a prompt of 1,000 messages within the limit of steps', () => {
    const messages = Array.from({ length: 1_000 }, (_, index) => ({
      role: index % 2 ? 'user' : 'assistant',
      content: 'some words of a conversation that goes back and forth '.repeat(3).trim() + index,
    }));
    const source =
      '{% for m in inputs.messages %}{{ loop.index }}. {{ m.role|upper }}: {{ m.content|trim }}{% if not loop.last %}\n{% endif %}{% endfor %}';
    const template = parseTemplate(source);
    const prompt = template.render({ inputs: { messages } }, { maxMs: Infinity });
    expect(prompt.length).toBeGreaterThan(150_000);
    expect(prompt.split('\n')).toHaveLength(1_000);
  });

  it('reads only what it needs of large data', () => {
    const rows = Array.from({ length: 300_000 }, (_, index) => ({ index }));
    expect(render('{{ inputs.question }}', { inputs: { question: 'q', rows } })).toBe('q');
  });

  it('returns text of any size from the data, within the limit of the output', () => {
    const text = 'x'.repeat(DEFAULT_LIMITS.maxOutputBytes);
    expect(render('{{ text }}', { text })).toHaveLength(text.length);
    expect(() => render('{{ text }}!', { text })).toThrow('the output is larger');
  });
});

describe('TemplateCache', () => {
  it('returns the parsed template of a source again', () => {
    const cache = new TemplateCache();
    expect(cache.get('{{ 1 }}')).toBe(cache.get('{{ 1 }}'));
  });

  it('evicts templates beyond its size', () => {
    const cache = new TemplateCache(100);
    const first = cache.get('a'.repeat(60));
    cache.get('b'.repeat(60));
    expect(cache.get('a'.repeat(60))).not.toBe(first);
  });

  it('does not store a source that cannot be parsed', () => {
    const cache = new TemplateCache();
    expect(() => cache.get('{{')).toThrow(TemplateError);
    expect(() => cache.get('{{')).toThrow(TemplateError);
  });
});
