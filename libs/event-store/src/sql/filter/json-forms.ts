import type { Filter } from '@assay/domain';
import { createYieldToEventLoop, runCooperatively, type Steps } from '@assay/runtime';
import { textsOf } from './filter-value.js';
import { jsonForm, type JsonForm } from './json-form.js';

/** Statements of one search have the same filters. */
const KNOWN = new WeakMap<Filter, readonly JsonForm[]>();

/** Returns the forms of those texts of a filter that are the JSON of other values. */
export function jsonFormsOf(filter: Filter): readonly JsonForm[] {
  return KNOWN.get(filter) ?? textsOf(filter.value).flatMap(formsOf);
}

/**
 * Finds the forms of filters before their statement is written, in turns of the event loop: those of 10 MB of texts take seconds, and
 * writing a statement is one step.
 */
export function knowJsonForms(filters: readonly Filter[]): Promise<void> {
  return runCooperatively(knowJsonFormsSteps(filters), createYieldToEventLoop());
}

function* knowJsonFormsSteps(filters: readonly Filter[]): Steps<void> {
  for (const filter of filters) {
    if (!comparesTexts(filter) || KNOWN.has(filter)) continue;
    const forms: JsonForm[] = [];
    for (const text of textsOf(filter.value)) {
      forms.push(...formsOf(text));
      yield;
    }
    KNOWN.set(filter, forms);
  }
}

function comparesTexts({ operator, type }: Filter): boolean {
  return type === 'string' && (operator === 'is' || operator === 'is not' || operator === 'in');
}

function formsOf(text: string): readonly JsonForm[] {
  const form = jsonForm(text);
  return form === undefined ? [] : [form];
}
