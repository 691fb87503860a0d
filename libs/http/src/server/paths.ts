import type { Binding } from '../routing/bind.js';

/** Returns the path of a binding's route and its aliases. */
export function pathsOf({ route }: Binding): readonly string[] {
  return [route.path, ...(route.aliases ?? [])];
}

/** Converts `/v1/events/{event_id}` to the syntax of Express. */
export function expressPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

/** Orders paths so that literal ones come before those with parameters, which would match them too. */
export function literalFirst(left: string, right: string): number {
  return parametersOf(left) - parametersOf(right);
}

function parametersOf(path: string): number {
  return path.split('{').length;
}
