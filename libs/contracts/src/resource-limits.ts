const KB = 1024;
const MB = 1024 * KB;

/** Maximum size of one resource of each kind, in bytes of JSON as UTF-8: the fields that clients set. */
export const MAX_RESOURCE_BYTES = {
  alert: 64 * KB,
  chart: 64 * KB,
  configuration: 256 * KB,
  datapoint: 4 * MB,
  dataset: 64 * KB,
  metric: 256 * KB,
  queue: 256 * KB,
  run: 4 * MB,
} as const;

/** A kind of resource whose size is limited. */
export type ResourceKind = keyof typeof MAX_RESOURCE_BYTES;

/** How much larger than its resource a body may be: it contains whitespace, escapes and ignored fields. */
const BODY_FACTOR = 4;

/** Returns the limits of a route that writes one resource, so that a much larger body is rejected before it is read. */
export function bodyLimitsOf(kind: ResourceKind): { readonly maxBodyBytes: number } {
  return { maxBodyBytes: BODY_FACTOR * MAX_RESOURCE_BYTES[kind] };
}

/** Returns a size with its unit, such as `256 KB`. */
export function formatBytes(bytes: number): string {
  return bytes % MB === 0 ? `${bytes / MB} MB` : `${bytes / KB} KB`;
}
