export type CompositeFunction = 'average' | 'sum' | 'highest' | 'min' | 'max';

/** Functions by the letters of their names. */
const FUNCTIONS: ReadonlyMap<string, CompositeFunction> = new Map([
  ['weightedaverage', 'average'],
  ['weightedsum', 'sum'],
  ['hierarchicalhighesttrue', 'highest'],
  ['minimum', 'min'],
  ['min', 'min'],
  ['maximum', 'max'],
  ['max', 'max'],
]);

/** Returns the aggregate function that the criteria of a composite name, by their letters alone; any other text is the weighted average. */
export function compositeFunction(criteria: string): CompositeFunction {
  return FUNCTIONS.get(criteria.toLowerCase().replace(/[^a-z]/g, '')) ?? 'average';
}

/** Returns whether a composite with this function may be a boolean: a weighted value is neither true nor false. */
export function isBooleanFunction(name: CompositeFunction): boolean {
  return name !== 'average' && name !== 'sum';
}
