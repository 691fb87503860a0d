import type { JsonObject, JsonValue } from '@assay/domain';
import type { SlotBucket } from '../conventions/rule.js';
import type { SpanEvent } from '../messages.js';
import type { CompiledDestination } from './rule-index.js';

/** Attribute that no rule maps. */
export type UnmappedAttribute = readonly [key: string, value: JsonValue];

/** Source of a value: an attribute, the members of a family of attributes, or span events. */
export type Source =
  | UnmappedAttribute
  | { readonly members: readonly { readonly source: UnmappedAttribute }[] }
  | { readonly events: readonly SpanEvent[] };

/** Object whose keys are spread into a bucket. */
export interface Spread {
  readonly bucket: SlotBucket;
  readonly order: number;
  readonly values: JsonObject;
  readonly source: Source | undefined;
}

/** Source of a value at a destination; none where another destination has the whole value. */
export function sourceFor(
  { primary, repeats, slot }: CompiledDestination,
  source: Source | undefined,
): Source | undefined {
  if (repeats) return undefined;
  return primary || slot?.identity !== true ? source : asPart(source);
}

/** Source of a value that is a part of its attribute, which therefore is not an id or a name itself. */
export function asPart(source: Source | undefined): Source | undefined {
  return source !== undefined && isAttribute(source) ? { members: [{ source }] } : source;
}

export function isAttribute(source: Source): source is UnmappedAttribute {
  return Array.isArray(source);
}
