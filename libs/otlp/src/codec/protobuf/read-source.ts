import type { JsonValue } from '@assay/domain';
import type { Resource, Scope } from '../../messages.js';
import type { Slice } from './layout.js';
import { readAttribute } from './read-span.js';
import { readText } from './text.js';
import { BYTES, WireReader } from './wire-reader.js';

/**
 * Reads a resource, whose field may be repeated.
 * @throws BrokenSpan when it is malformed
 */
export function readResource(body: Buffer, slices: readonly Slice[]): Resource {
  const attributes = new Map<string, JsonValue>();
  for (const { start, end } of slices) {
    const reader = new WireReader(body, start, end);
    for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
      if (tag === ((1 << 3) | BYTES)) readAttribute(reader, attributes);
      else reader.skip(tag);
    }
  }
  return { attributes };
}

/**
 * Reads an instrumentation scope, whose field may be repeated.
 * @throws BrokenSpan when it is malformed
 */
export function readScope(body: Buffer, slices: readonly Slice[]): Scope {
  const scope = { name: '', version: '', attributes: new Map<string, JsonValue>() };
  for (const { start, end } of slices) {
    const reader = new WireReader(body, start, end);
    for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
      if (tag === ((1 << 3) | BYTES)) scope.name = readText(reader);
      else if (tag === ((2 << 3) | BYTES)) scope.version = readText(reader);
      else if (tag === ((3 << 3) | BYTES)) readAttribute(reader, scope.attributes);
      else reader.skip(tag);
    }
  }
  return scope;
}
