import type { RequestListener } from 'node:http';

/** Sends what begins with `/internal/v1/` to the internal interface, which has a token of its own, and everything else to the public one. */
export function withInternalApi(publicApi: RequestListener, internalApi: RequestListener): RequestListener {
  return (request, response) => {
    const isInternal = request.url?.startsWith('/internal/v1/') ?? false;
    return (isInternal ? internalApi : publicApi)(request, response);
  };
}
