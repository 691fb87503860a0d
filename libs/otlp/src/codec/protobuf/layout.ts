import { MAX_SPANS, tooManySpans } from '../../limits.js';
import { WireReader } from './wire-reader.js';

/** Byte range of an embedded message, without its length prefix. */
export interface Slice {
  readonly start: number;
  readonly end: number;
}

/** Byte ranges of a ScopeSpans message. Repeated scope fields are merged. */
export interface ScopeLayout {
  readonly scopes: Slice[];
  readonly spans: Slice[];
}

export interface ResourceLayout {
  readonly resources: Slice[];
  readonly scopeSpans: ScopeLayout[];
}

const RESOURCE_SPANS = (1 << 3) | 2;
const RESOURCE = (1 << 3) | 2;
const SCOPE_SPANS = (2 << 3) | 2;
/**
 * `instrumentation_library_spans`, the name and number before 0.19; its scope and spans have the same
 * numbers.
 */
const LIBRARY_SPANS = (1000 << 3) | 2;
const SCOPE = (1 << 3) | 2;
const SPAN = (2 << 3) | 2;

/**
 * Locates resources, scopes and spans in a request before decoding: fields may be in any order, and spans are
 * counted before memory is allocated for them.
 * @throws BrokenSpan when the structure is truncated or malformed
 * @throws AppError VALIDATION_ERROR over 100,000 spans
 */
export function scanLayout(body: Buffer): ResourceLayout[] {
  const found: ResourceLayout[] = [];
  const counter = { spans: 0 };
  forEachField(body, { start: 0, end: body.length }, (tag, slice) => {
    if (tag === RESOURCE_SPANS) found.push(scanResource(body, slice, counter));
  });
  return found;
}

function scanResource(body: Buffer, within: Slice, counter: { spans: number }): ResourceLayout {
  const layout: ResourceLayout = { resources: [], scopeSpans: [] };
  forEachField(body, within, (tag, slice) => {
    if (tag === RESOURCE) layout.resources.push(slice);
    else if (tag === SCOPE_SPANS || tag === LIBRARY_SPANS)
      layout.scopeSpans.push(scanScope(body, slice, counter));
  });
  return layout;
}

function scanScope(body: Buffer, within: Slice, counter: { spans: number }): ScopeLayout {
  const layout: ScopeLayout = { scopes: [], spans: [] };
  forEachField(body, within, (tag, slice) => {
    if (tag === SCOPE) layout.scopes.push(slice);
    if (tag !== SPAN) return;
    if (++counter.spans > MAX_SPANS) throw tooManySpans();
    layout.spans.push(slice);
  });
  return layout;
}

/** Calls back for every length-delimited field of a message. */
function forEachField(body: Buffer, within: Slice, take: (tag: number, slice: Slice) => void): void {
  const reader = new WireReader(body, within.start, within.end);
  for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
    if ((tag & 7) !== 2) {
      reader.skip(tag);
      continue;
    }
    const end = reader.lengthEnd();
    take(tag, { start: reader.at, end });
    reader.at = end;
  }
}
