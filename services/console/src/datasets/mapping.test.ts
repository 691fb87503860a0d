import { mappingOf, NO_MAPPING } from './mapping.js';

it('is the one of the server when nothing is named', () => {
  expect(mappingOf(NO_MAPPING)).toBeUndefined();
  expect(mappingOf({ ...NO_MAPPING, inputs: ' , ' })).toBeUndefined();
});

it('has the fields that are named, and no others', () => {
  expect(
    mappingOf({ inputs: 'inputs.question, metadata.user tier', history: '', ground_truth: 'outputs' }),
  ).toEqual({
    ...{ inputs: ['inputs.question', 'metadata.user tier'], history: [], ground_truth: ['outputs'] },
  });
});
