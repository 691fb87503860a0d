import { bodyOfChange, problemOf } from './datapoint-text.js';

const BEFORE = { inputs: '{"n":1}', history: '[]', ground_truth: 'null', metadata: '{}' };

it('sends only the parts that were changed, with the digits as they were typed', () => {
  expect(bodyOfChange(BEFORE, BEFORE)).toBeUndefined();
  expect(bodyOfChange(BEFORE, { ...BEFORE, inputs: ' {"n":1}\n' })).toBeUndefined();
  const text = '{"n": 90071992547409931}';
  expect(bodyOfChange(BEFORE, { ...BEFORE, inputs: text, ground_truth: '{"a":true}' })).toBe(
    `{"inputs":${text},"ground_truth":{"a":true}}`,
  );
});

it('says what is wrong with a part', () => {
  expect(problemOf('inputs', '{"a":')).toMatch(/^This is not JSON: /);
  expect(problemOf('inputs', '[]')).toMatch(/must be an object/);
  expect(problemOf('inputs', 'null')).toMatch(/must be an object/);
  expect(problemOf('history', '[1]')).toMatch(/list of messages/);
  expect(problemOf('history', '[{"role":"user"}]')).toBeUndefined();
  expect(problemOf('ground_truth', 'null')).toBeUndefined();
  expect(problemOf('metadata', '{}')).toBeUndefined();
});
