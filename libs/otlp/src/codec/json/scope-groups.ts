import type { Scope } from '../../messages.js';
import { readAttributes } from './attributes.js';
import { field, requiredArray, requiredObject, text, type Fields } from './fields.js';

type FieldNames = readonly [camel: string, snake: string];

/** Names of the fields of one signal. */
export interface SignalNames {
  readonly groups: FieldNames;
  /** Names before 0.19. */
  readonly formerGroups: FieldNames;
  readonly items: FieldNames;
}

export const SPANS: SignalNames = {
  groups: ['scopeSpans', 'scope_spans'],
  formerGroups: ['instrumentationLibrarySpans', 'instrumentation_library_spans'],
  items: ['spans', 'spans'],
};

export const LOG_RECORDS: SignalNames = {
  groups: ['scopeLogs', 'scope_logs'],
  formerGroups: ['instrumentationLibraryLogs', 'instrumentation_library_logs'],
  items: ['logRecords', 'log_records'],
};

/** The spans or log records of one scope. */
export interface ScopeGroup {
  readonly path: string;
  readonly scope: Fields;
  readonly items: readonly unknown[];
}

/**
 * Returns the scope groups of a resource under the current name and the name before 0.19.
 * @throws AppError VALIDATION_ERROR when the structure is wrong
 */
export function scopeGroups(group: Fields, path: string, names: SignalNames): ScopeGroup[] {
  return [names.groups, names.formerGroups].flatMap(([camel, snake]) =>
    requiredArray(field(group, camel, snake), `${path}.${camel}`).map((value, index) =>
      scopeGroup(value, `${path}.${camel}[${index}]`, names.items),
    ),
  );
}

function scopeGroup(value: unknown, path: string, [camel, snake]: FieldNames): ScopeGroup {
  const group = requiredObject(value, path);
  const scope = group['scope'] ?? field(group, 'instrumentationLibrary', 'instrumentation_library');
  return {
    path,
    scope: requiredObject(scope, `${path}.scope`),
    items: requiredArray(field(group, camel, snake), `${path}.${camel}`),
  };
}

/**
 * Reads the scope of a group.
 * @throws AppError VALIDATION_ERROR when its attributes are not a list
 * @throws BrokenSpan when one of them nests deeper than 64
 */
export function readScope({ path, scope }: ScopeGroup, clean: (text: string) => string): Scope {
  const attributes = requiredArray(scope['attributes'], `${path}.scope.attributes`);
  return {
    name: clean(text(scope['name'])),
    version: clean(text(scope['version'])),
    attributes: readAttributes(attributes, clean),
  };
}
