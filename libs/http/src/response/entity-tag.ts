import type { IncomingHttpHeaders } from 'node:http';
import { HandlerResponse } from './response.js';

/**
 * Returns whether a condition such as `If-None-Match` names this entity tag, or any. Weak comparison (RFC 9110,
 * 8.8.3.2): both forms of a tag are equal.
 */
export function namesTag(condition: string | undefined, tag: string): boolean {
  if (condition === undefined) return false;
  if (condition.trim() === '*') return true;
  const sent = condition.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return sent.map(strong).includes(strong(tag));
}

/** Returns the response 304 when the client has the representation with this tag; undefined otherwise. */
export function notModified(headers: IncomingHttpHeaders, tag: string): HandlerResponse<never> | undefined {
  if (!namesTag(headers['if-none-match'], tag)) return undefined;
  return new HandlerResponse(undefined as never, { ETag: tag }, 304);
}

function strong(tag: string): string {
  return tag.replace(/^W\//, '');
}
