import { UNKNOWN } from '../events/event-shape.js';
import { MAX_MODEL_NAME } from './model-name.js';

/** Names of one list; a deployment prices them one after the other. */
export const MAX_UNPRICED_MODELS = 20;

/** Returns the names of models whose calls have no known cost: each once, sorted, the first of more than 20. */
export function listUnpriced(models: Iterable<string>): string[] {
  return [...new Set(models)].sort().slice(0, MAX_UNPRICED_MODELS);
}

/** Returns the name under which such a list has a model, by its plain name; a call may name none. */
export function unpricedName(plainName: string): string {
  return plainName === '' ? UNKNOWN : [...plainName].slice(0, MAX_MODEL_NAME).join('');
}

/** A cost, of which a part may be unknown, with the models of that part. */
export interface KnownCost {
  readonly cost: number | null;
  readonly unpricedModels: readonly string[];
}

/** Adds two costs. The sum is unknown when one of them is. */
export function addCosts(one: KnownCost, other: KnownCost): KnownCost {
  const cost = one.cost === null || other.cost === null ? null : one.cost + other.cost;
  return { cost, unpricedModels: listUnpriced([...one.unpricedModels, ...other.unpricedModels]) };
}
