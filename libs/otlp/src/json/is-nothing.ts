import type { JsonValue } from '@assay/domain';

/** Empty values, which never take precedence over another source. */
export function isNothing(value: JsonValue): boolean {
  if (value === null || value === '') return true;
  if (typeof value === 'string')
    return value.length <= 4 && (value === '[]' || value === '{}' || value === 'null');
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
