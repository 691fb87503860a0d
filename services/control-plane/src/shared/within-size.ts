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
  const fields = fieldsOf(content);
  const bytes = sum(fields);
  if (bytes <= maxBytes || (before && bytes <= sum(fieldsOf(sameFields(before, content))) + MAX_GROWTH_BYTES))
    return content;
  const { name } = fields.reduce((largest, field) => (field.bytes > largest.bytes ? field : largest));
  throw new AppError(
    'PAYLOAD_TOO_LARGE',
    `${path}a ${kind} must not exceed ${formatBytes(maxBytes)} of JSON, its largest field is ${name}`,
  );
}

/** The stored document has fields besides its content. */
function sameFields(before: object, content: object): object {
  return Object.fromEntries(Object.entries(before).filter(([name]) => Object.hasOwn(content, name)));
}

interface Field {
  readonly name: string;
  /** Bytes of the value as JSON. */
  readonly bytes: number;
}

/** Each value is written as JSON once, since one of 10 MB takes a tenth of a second. */
function fieldsOf(content: object): readonly Field[] {
  return Object.entries(content).flatMap(([name, value]) => {
    const json = JSON.stringify(value) as string | undefined;
    return json === undefined ? [] : { name, bytes: Buffer.byteLength(json) };
  });
}

/** The bytes of the object as JSON: braces, and names with quotes, colons and commas. */
function sum(fields: readonly Field[]): number {
  const lengths = fields.map(({ name, bytes }) => Buffer.byteLength(JSON.stringify(name)) + 1 + bytes);
  return 2 + lengths.reduce((total, length) => total + length, 0) + Math.max(0, fields.length - 1);
}
