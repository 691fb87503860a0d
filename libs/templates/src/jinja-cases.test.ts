import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseTemplate } from './template.js';
import { TemplateError } from './template-error.js';

interface Case {
  readonly group: string;
  readonly template: string;
  readonly output?: string;
}

const { variables, cases } = JSON.parse(
  readFileSync(join(__dirname, '../test/jinja-cases.json'), 'utf8'),
) as { variables: object; cases: Case[] };

/** The result must not depend on the load of the machine. */
const NO_CLOCK = { maxMs: Infinity };

describe('templates that Jinja2 renders', () => {
  it.each(cases.filter(({ output }) => output !== undefined))('$group: $template', ({ template, output }) => {
    expect(parseTemplate(template).render(variables, NO_CLOCK)).toBe(output);
  });
});

describe('templates that Jinja2 refuses', () => {
  it.each(cases.filter(({ output }) => output === undefined))('$group: $template', ({ template }) => {
    expect(() => parseTemplate(template).render(variables, NO_CLOCK)).toThrow(TemplateError);
  });
});
