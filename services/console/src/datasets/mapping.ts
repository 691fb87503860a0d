import type { Batch } from '../api/datasets.js';

/** Fields of events by the part of the datapoint that they fill, as a person types them: separated by commas. */
export interface MappingTexts {
  readonly inputs: string;
  readonly history: string;
  readonly ground_truth: string;
}

export const NO_MAPPING: MappingTexts = { inputs: '', history: '', ground_truth: '' };

/** Returns the mapping of a request; undefined: the one of the server. */
export function mappingOf(texts: MappingTexts): Batch['mapping'] {
  const lists = {
    inputs: fieldsOf(texts.inputs),
    history: fieldsOf(texts.history),
    ground_truth: fieldsOf(texts.ground_truth),
  };
  const isEmpty = Object.values(lists).every((fields) => fields.length === 0);
  return isEmpty ? undefined : lists;
}

const fieldsOf = (text: string) =>
  text
    .split(',')
    .map((field) => field.trim())
    .filter((field) => field !== '');
