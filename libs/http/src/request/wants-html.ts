import type { IncomingHttpHeaders } from 'node:http';

/** Browsers list the type by name. curl and HTTP libraries accept anything, which asks for no page. */
const WANTS_HTML = /(?:^|,)\s*text\/html\s*(?:;(?!\s*q=0(?:\.0*)?\s*(?:,|$))|,|$)/i;

/** Returns whether the client asks for a page. */
export function wantsHtml({ accept = '' }: IncomingHttpHeaders): boolean {
  return WANTS_HTML.test(accept);
}
