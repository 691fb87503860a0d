import type { IncomingMessage } from 'node:http';
import { AppError } from '@assay/errors';
import { requireJson } from '../body/content-type.js';
import type { Site } from './site.js';

/**
 * Checks that a request which a browser may have authenticated automatically comes from a page of this address. Reading needs no proof, because
 * other pages cannot see the response, and never changes anything; what browsers mark as coming from elsewhere is refused all the same.
 * @throws AppError `FORBIDDEN`, `UNSUPPORTED_MEDIA_TYPE`
 */
export function assertSameOrigin(request: IncomingMessage, site: Site | undefined): void {
  const { method, headers } = request;
  const isRead = method === 'GET' || method === 'HEAD';
  const from = headers['sec-fetch-site'];
  // `none`: the person has typed the address.
  const isOwn =
    from === undefined
      ? isRead || isOwnOrigin(headers.origin, site)
      : from === 'same-origin' || (isRead && from === 'none');
  if (!isOwn) throw new AppError('FORBIDDEN', 'this request does not come from a page of the console');
  if (!isRead) requireJson(headers['content-type']);
}

/** Browsers that send no `Sec-Fetch-Site` send `Origin` with everything that may change something. */
function isOwnOrigin(origin: string | undefined, site: Site | undefined): boolean {
  return origin !== undefined && origin === site?.origin;
}
