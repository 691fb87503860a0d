import { Environment } from 'nunjucks';
import { FILTER_NAMES, TEST_NAMES } from '../builtin-names.js';
import { DICT_METHODS, LIST_METHODS, TUPLE_METHODS } from '../builtins/collection-methods.js';
import { FUNCTIONS } from '../builtins/functions.js';
import { STRING_METHODS } from '../builtins/string-methods.js';
import { DEFAULT_LIMITS, MAX_RANGE } from '../limits.js';
import { MAX_TOKENS } from '../syntax/lexer.js';
import { MAX_SOURCE_LENGTH } from '../template.js';
import { TEMPLATES_PAGE } from './templates-page.js';

/** Returns `docs/templates.md`. The page is a template of the product, so nunjucks may run it. */
export function templatesDocument(): string {
  const environment = new Environment([], { autoescape: false, throwOnUndefined: true });
  return environment.renderString(TEMPLATES_PAGE, {
    filters: sorted(FILTER_NAMES),
    tests: sorted(TEST_NAMES),
    functions: sorted(FUNCTIONS.keys()),
    methods: [
      { type: 'string', names: sorted(STRING_METHODS.keys()) },
      { type: 'list', names: sorted(LIST_METHODS.keys()) },
      { type: 'tuple', names: sorted(TUPLE_METHODS.keys()) },
      { type: 'dict', names: sorted(DICT_METHODS.keys()) },
      { type: 'float', names: ['is_integer'] },
    ],
    limits: limitRows(),
    maxRange: count(MAX_RANGE),
  });
}

function limitRows(): { readonly name: string; readonly value: string }[] {
  const limits = DEFAULT_LIMITS;
  return [
    { name: 'Length of the template, in characters', value: count(MAX_SOURCE_LENGTH) },
    { name: 'Tokens: names, numbers, strings, operators, delimiters and texts', value: count(MAX_TOKENS) },
    {
      name: 'Steps: nodes evaluated, every 16 items visited, every 1,024 characters read or 32 changed',
      value: count(limits.maxSteps),
    },
    { name: 'CPU time, in milliseconds', value: count(limits.maxMs) },
    { name: 'Output, in bytes', value: count(limits.maxOutputBytes) },
    {
      name: 'Length of a string that the template makes, in characters',
      value: count(limits.maxStringLength),
    },
    { name: 'Items of a list that the template makes', value: count(limits.maxItems) },
    { name: 'Size of everything that the template makes', value: count(limits.maxAllocation) },
    { name: 'Nesting of macros and recursive loops', value: count(limits.maxDepth) },
    { name: 'Items of `range`', value: count(MAX_RANGE) },
  ];
}

function count(number: number): string {
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

function sorted(names: Iterable<string>): string[] {
  return Array.from(names).sort();
}
