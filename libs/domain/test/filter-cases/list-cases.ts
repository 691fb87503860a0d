import { filterCases, type CaseRow } from './filter-case.js';

const MESSAGES: CaseRow[1] = {
  inputs: {
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'He said "refund now"\nand left C:\\logs', tags: ['a', 'b'] },
      { role: 'assistant', content: null, score: 0.5 },
      { role: 'tool', content: [{ text: 'ΑΣ' }], done: true },
    ],
  },
};
const TAGS: CaseRow[1] = {
  metadata: { tags: ['red', 'green', 7, true, null, { a: 1 }], 'x[0]': 'literal', 'a.b': { c: 1 } },
};
const CHILDREN: CaseRow[1] = { children_ids: ['4b8d7f3a-0000-4000-8000-000000000001'] };
const OBJECT: CaseRow[1] = { metadata: { list: { '0': 'key', first: 'member' }, text: '[0]' } };

type Rest = [CaseRow[2], CaseRow[3], CaseRow[4], CaseRow[5], CaseRow[6]];
const rows = (event: CaseRow[1], cases: readonly Rest[]): CaseRow[] =>
  cases.map(([field, operator, type, value, matches]) => [
    `${field} ${operator} ${type} ${JSON.stringify(value)}`,
    event,
    field,
    operator,
    type,
    value,
    matches,
  ]);

/** Items of lists: by index, any item, and texts within values. */
export const LIST_CASES = filterCases([
  ...rows(MESSAGES, [
    ['inputs.messages[0].content', 'is', 'string', 'Be brief.', true],
    ['inputs.messages[1].content', 'is', 'string', 'Be brief.', false],
    ['inputs.messages[-1].role', 'is', 'string', 'tool', true],
    ['inputs.messages[-5].role', 'exists', 'string', null, false],
    ['inputs.messages[4].role', 'exists', 'string', null, false],
    ['inputs.messages[2].content', 'not exists', 'string', null, true],
    ['inputs.messages[2].score', 'greater than', 'number', 0.4, true],
    ['inputs.messages[3].done', 'is', 'boolean', true, true],
    ['inputs.messages[1].tags[1]', 'is', 'string', 'b', true],
    ['inputs.messages[1].tags[1].x', 'exists', 'string', null, false],
    ['inputs.messages[0]', 'contains', 'string', 'BRIEF', true],
    ['inputs.messages[*].role', 'is', 'string', 'tool', true],
    ['inputs.messages[*].role', 'is', 'string', 'Tool', false],
    ['inputs.messages[*].role', 'is not', 'string', 'tool', false],
    ['inputs.messages[*].role', 'is not', 'string', 'other', true],
    ['inputs.messages[*].role', 'in', 'string', ['x', 'user'], true],
    ['inputs.messages[*].score', 'exists', 'string', null, true],
    ['inputs.messages[*].name', 'not exists', 'string', null, true],
    ['inputs.messages[*].score', 'less than', 'number', 0.6, true],
    ['inputs.messages[*].tags[*]', 'is', 'string', 'b', true],
    ['inputs.messages[*].tags[0]', 'is', 'string', 'b', false],
    ['inputs.messages[*].content', 'contains', 'string', 'left c:\\LOGS', true],
    ['inputs.messages[*].content', 'not contains', 'string', 'invoice', true],
    ['inputs.messages[*].content', 'contains', 'string', '', true],
    ['inputs.messages[*].other', 'contains', 'string', '', false],
    ['inputs.messages', 'contains', 'string', 'said "refund', true],
    ['inputs.messages', 'contains', 'string', 'now"\nand', true],
    ['inputs.messages', 'contains', 'string', 'nand', false],
    ['inputs.messages', 'contains', 'string', '\\n', false],
    ['inputs.messages', 'contains', 'string', 'C:\\logs', true],
    ['inputs.messages', 'contains', 'string', '"role"', false],
    ['inputs.messages', 'contains', 'string', 'content', false],
    ['inputs.messages', 'contains', 'string', 'user","content', false],
    ['inputs.messages', 'contains', 'string', 'ας', true],
    ['inputs.messages', 'contains', 'string', 'ασ', true],
    ['inputs', 'contains', 'string', 'Ας', true],
    ['inputs', 'contains', 'string', '0.5', true],
    ['inputs', 'contains', 'string', 'tru', true],
    ['inputs', 'contains', 'string', 'null', false],
    ['inputs', 'contains', 'string', 'messages', false],
    ['inputs', 'not contains', 'string', 'said "refund', false],
  ]),
  ...rows(TAGS, [
    ['metadata.tags[*]', 'is', 'string', 'green', true],
    ['metadata.tags[*]', 'is', 'string', 'gree', false],
    ['metadata.tags[*]', 'is', 'string', '7', true],
    ['metadata.tags[*]', 'is', 'number', 7, true],
    ['metadata.tags[*]', 'is', 'boolean', true, true],
    ['metadata.tags[*]', 'is', 'string', '{"a":1}', true],
    ['metadata.tags[*].a', 'is', 'number', 1, true],
    ['metadata.tags[*].b', 'exists', 'string', null, false],
    ['metadata.x[0]', 'is', 'string', 'literal', true],
    ['metadata["x[0]"]', 'is', 'string', 'literal', true],
    ['metadata["a.b"].c', 'is', 'number', 1, true],
    [`metadata['a.b'].c`, 'is', 'number', 1, true],
    ['metadata.a.b[0]', 'exists', 'string', null, false],
    ['metadata.missing[*]', 'is not', 'string', 'x', true],
  ]),
  ...rows(OBJECT, [
    ['metadata.list[0]', 'exists', 'string', null, false],
    ['metadata.list[*]', 'exists', 'string', null, false],
    ['metadata.list.0', 'is', 'string', 'key', true],
    ['metadata.list["0"]', 'is', 'string', 'key', true],
    ['metadata.text[0]', 'exists', 'string', null, false],
  ]),
  ...rows(CHILDREN, [
    ['children_ids[*]', 'is', 'string', '4b8d7f3a-0000-4000-8000-000000000001', true],
    ['children_ids[0]', 'is', 'string', '4b8d7f3a-0000-4000-8000-000000000001', true],
    ['children_ids', 'contains', 'string', '4B8D7F3A', true],
    ['children_ids', 'contains', 'string', '["4b', false],
  ]),
]);
