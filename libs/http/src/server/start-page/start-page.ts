import type { IncomingMessage, ServerResponse } from 'node:http';
import { Environment, Template } from 'nunjucks';
import { toPlainAddress, type IsTrustedProxy } from '../../request/client-address.js';
import { wantsHtml } from '../../request/wants-html.js';
import type { WireResponse } from '../../response/response.js';
import { START_PAGE } from './template.js';

export interface StartPageOptions {
  readonly version: string;
  /** Whether the process has the routes that the page sends events to and searches with. */
  readonly takesEvents: boolean;
  readonly isTrustedProxy: IsTrustedProxy;
}

/** Responds to a browser; undefined for every other client. */
export type StartPage = (request: IncomingMessage, response: ServerResponse) => WireResponse | undefined;

/** A name or an address, with or without a port: what is put into commands that people copy. */
const HOST = /^(?:[a-z0-9_.-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;
const HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
  'X-Content-Type-Options': 'nosniff',
};

/** Returns the page at `/` for people who open the address of the API in a browser. It names the address that they have used. */
export function makeStartPage({ version, takesEvents, isTrustedProxy }: StartPageOptions): StartPage {
  const environment = new Environment([], { autoescape: true, throwOnUndefined: true });
  // Compiled when it is first rendered, which takes as long as a tenth of a start.
  const template = new Template(START_PAGE, environment, 'start page');
  return function startPage(request, response) {
    response.appendHeader('Vary', 'Accept');
    if (!wantsHtml(request.headers)) return undefined;
    const address = addressOf(request, isTrustedProxy);
    const body = template.render({ version, takesEvents, address });
    return { status: 200, contentType: 'text/html; charset=utf-8', body, headers: HEADERS };
  };
}

function addressOf({ headers, socket }: IncomingMessage, isTrustedProxy: IsTrustedProxy): string {
  const address = toPlainAddress(socket.localAddress);
  const local = `${address.includes(':') ? `[${address}]` : address}:${socket.localPort}`;
  const host = HOST.test(headers.host ?? '') ? headers.host : local;
  const proxied =
    isTrustedProxy(toPlainAddress(socket.remoteAddress)) && headers['x-forwarded-proto'] === 'https';
  return `${proxied || 'encrypted' in socket ? 'https' : 'http'}://${host}`;
}
