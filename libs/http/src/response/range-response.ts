import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '@assay/errors';
import { ByteContent, type ByteRange } from './byte-content.js';
import { namesTag, notModified } from './entity-tag.js';
import { FailureWithHeaders, HandlerResponse } from './response.js';

/** Content that clients can request in parts. */
export interface RangedContent {
  readonly contentType: string;
  readonly length: number;
  /** Strong entity tag: it differs whenever a byte does. */
  readonly tag: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly read: ByteContent['read'];
}

/**
 * Responds with content, with the part that `Range` asks for (206), or with 304 when the client has it. A range that is
 * malformed, has several parts, or is of other content (`If-Range`) is ignored, as RFC 9110 (14.2) allows.
 * @throws FailureWithHeaders 416 for a range behind the end
 */
export function rangeResponse(
  request: IncomingHttpHeaders,
  { contentType, length, tag, headers, read }: RangedContent,
): HandlerResponse<ByteContent> {
  const unchanged = notModified(request, tag);
  if (unchanged) return unchanged;
  const common = { 'Accept-Ranges': 'bytes', ETag: tag, ...headers };
  const range = sentRange(request, length, tag);
  if (range === undefined) {
    return new HandlerResponse(new ByteContent(contentType, { from: 0, to: length }, read), common);
  }
  if (range.from >= range.to) throw unsatisfiable(length);
  const part = { ...common, 'Content-Range': `bytes ${range.from}-${range.to - 1}/${length}` };
  return new HandlerResponse(new ByteContent(contentType, range, read), part, 206);
}

const ONE_RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/;

function sentRange(headers: IncomingHttpHeaders, length: number, tag: string): ByteRange | undefined {
  const { range, 'if-range': condition } = headers;
  if (range === undefined || (condition !== undefined && !isSame(String(condition), tag))) return undefined;
  const [, first, last] = ONE_RANGE.exec(range.replaceAll(' ', '')) ?? [];
  if (first === undefined || last === undefined || first + last === '') return undefined;
  if (first === '') return { from: Math.max(0, length - Number(last)), to: length };
  if (last !== '' && Number(last) < Number(first)) return undefined;
  return { from: Number(first), to: last === '' ? length : Math.min(length, Number(last) + 1) };
}

/** `If-Range` needs the strong comparison. */
function isSame(condition: string, tag: string): boolean {
  return !condition.startsWith('W/') && namesTag(condition, tag);
}

function unsatisfiable(length: number): FailureWithHeaders {
  const error = new AppError(
    'RANGE_NOT_SATISFIABLE',
    `Range must be within the ${length} bytes of the content`,
  );
  return new FailureWithHeaders(error, { 'Content-Range': `bytes */${length}`, 'Accept-Ranges': 'bytes' });
}
