import { filterCases } from './filter-case.js';

/** Text that means something to a query language means nothing in a filter. */
export const INJECTION_CASES = filterCases([
  ['a percent sign is a character', { event_name: 'abc' }, 'event_name', 'contains', 'string', '%', false],
  ['a percent sign finds itself', { event_name: '50% off' }, 'event_name', 'contains', 'string', '0% O', true],
  ['an underscore is a character', { event_name: 'abc' }, 'event_name', 'contains', 'string', 'a_c', false],
  ['a dot is a character', { event_name: 'abc' }, 'event_name', 'contains', 'string', 'a.c', false],
  ['a star is a character', { event_name: 'abc' }, 'event_name', 'is', 'string', '*', false],
  ['a quote is a character', { event_name: "it's" }, 'event_name', 'is', 'string', "it's", true],
  ['a quote does not end the text', { event_name: 'abc' }, 'event_name', 'is', 'string', "' OR 1=1 --", false],
  ['a quote does not end a part', { event_name: 'abc' }, 'event_name', 'contains', 'string', "' OR '' = '", false],
  ['a double quote is a character', { event_name: 'say "hi"' }, 'event_name', 'is', 'string', 'say "hi"', true],
  ['a backslash is a character', { event_name: 'C:\\temp' }, 'event_name', 'is', 'string', 'C:\\temp', true],
  ['a backslash does not escape', { event_name: 'n' }, 'event_name', 'is', 'string', '\\n', false],
  ['a backslash before a quote is a character', { event_name: "\\'" }, 'event_name', 'contains', 'string', "\\'", true],
  ['a placeholder is text', { event_name: '{p0:String}' }, 'event_name', 'is', 'string', '{p0:String}', true],
  ['a template is text', { event_name: '${x}' }, 'event_name', 'contains', 'string', '${X}', true],
  ['a tab is a character', { event_name: 'a\tb' }, 'event_name', 'is', 'string', 'a\tb', true],
  ['a quote in a field finds nothing', { inputs: { q: 'x' } }, "inputs.q') OR 1=1 --", 'exists', 'string', null, false],
  ['a quote in a field is part of a key', { inputs: { "q'": 'x' } }, "inputs.q'", 'is', 'string', 'x', true],
  ['a field is never an expression', {}, '1=1', 'not exists', 'string', null, true],
  ['a backtick in a field is part of a key', { metadata: { '`a`': 'x' } }, 'metadata.`a`', 'is', 'string', 'x', true],
  ['a backslash in a field is part of a key', { metadata: { 'a\\b': 'x' } }, 'metadata.a\\b', 'is', 'string', 'x', true],
  ['a query in a list is text', { source: 'x' }, 'source', 'in', 'string', ["x') OR (1", 'SELECT 1'], false],
  ['an operator of a document store is a key', { metadata: { $gt: 'x' } }, 'metadata.$gt', 'is', 'string', 'x', true],
]);
