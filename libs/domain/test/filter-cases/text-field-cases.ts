import { filterCases, type FilterCase } from './filter-case.js';

const ASKED = { inputs: { messages: [{ role: 'user', content: 'Where is "order" 118?' }] } };
const ANSWERED = { outputs: { answer: 'It was Shipped on 3 May', n: 1234.5, ok: true } };
const BOTH = { ...ASKED, ...ANSWERED };

/** The field `text`: what an event was given or returned. */
export const TEXT_FIELD_CASES: readonly FilterCase[] = filterCases([
  ['text finds a part of the inputs', BOTH, 'text', 'contains', 'string', 'where IS', true],
  ['text finds a part of the outputs', BOTH, 'text', 'contains', 'string', 'shipped', true],
  ['text finds a quote as it is', BOTH, 'text', 'contains', 'string', '"order" 1', true],
  ['text finds digits of a number', BOTH, 'text', 'contains', 'string', '234.5', true],
  ['text finds a boolean', BOTH, 'text', 'contains', 'string', 'TRUE', true],
  ['text finds no names of keys', BOTH, 'text', 'contains', 'string', 'messages', false],
  ['text finds nothing across two values', BOTH, 'text', 'contains', 'string', 'user Where', false],
  ['text finds no part that no field has', BOTH, 'text', 'contains', 'string', 'cancelled', false],
  [
    'text finds nothing in metadata',
    { ...BOTH, metadata: { a: 'elsewhere' } },
    'text',
    'contains',
    'string',
    'elsewhere',
    false,
  ],
  [
    'text finds nothing in the configuration',
    { config: { a: 'elsewhere' } },
    'text',
    'contains',
    'string',
    'elsewhere',
    false,
  ],
  ['text without a part that only the inputs have', ASKED, 'text', 'not contains', 'string', 'order', false],
  [
    'text without a part that only the outputs have',
    ANSWERED,
    'text',
    'not contains',
    'string',
    'shipped',
    false,
  ],
  ['text without a part that no field has', BOTH, 'text', 'not contains', 'string', 'cancelled', true],
  ['text without a part of an empty event', {}, 'text', 'not contains', 'string', 'cancelled', true],
  [
    'text of a key named text is another field',
    { metadata: { text: 'x' } },
    'metadata.text',
    'contains',
    'string',
    'x',
    true,
  ],
]);
