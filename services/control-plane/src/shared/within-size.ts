import { formatBytes, MAX_RESOURCE_BYTES, type ResourceKind } from '@assay/contracts';
import { AppError } from '@assay/errors';

/**
 * A resource that was stored before its size was limited may be changed while it does not grow by more than this, so
 * that its status can still be set.
 */
const MAX_GROWTH_BYTES = 256;

/**
 * Returns the content of a resource unchanged. Call it with the result of every create, update and merge.
 * @param before the content of the resource before an update
 * @param path prefix of the message, for one of several resources in a request
 * @throws AppError `PAYLOAD_TOO_LARGE` if the content exceeds the maximum size of its kind; the message names the largest
 * field
 */
export function withinSize<Content extends object>(
  kind: ResourceKind,
  content: Content,
  before?: Content,
  path = '',
): Content {
  const maxBytes = MAX_RESOURCE_BYTES[kind];
  const bytes = bytesOf(content);
  if (bytes <= maxBytes || (before && bytes <= bytesOf(sameFields(before, content)) + MAX_GROWTH_BYTES))
    return content;
  throw new AppError(
    'PAYLOAD_TOO_LARGE',
    `${path}a ${kind} must not exceed ${formatBytes(maxBytes)} of JSON, its largest field is ${largestField(content)}`,
  );
}

/** The stored document has fields besides its content. */
function sameFields(before: object, content: object): object {
  return Object.fromEntries(Object.entries(before).filter(([name]) => Object.hasOwn(content, name)));
}

function largestField(content: object): string {
  const fields = Object.entries(content).map(([name, value]) => ({ name, bytes: bytesOf(value) }));
  return fields.reduce((largest, field) => (field.bytes > largest.bytes ? field : largest)).name;
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '');
}
