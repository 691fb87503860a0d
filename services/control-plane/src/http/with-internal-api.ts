import type { RequestListener } from 'node:http';

/** Routes `/internal/v1/` to the internal API, which has its own tokens and limits, and every other path to the public API. */
export function withInternalApi(publicApi: RequestListener, internalApi: RequestListener): RequestListener {
  return (request, response) => {
    const isInternal = request.url?.startsWith('/internal/v1/') ?? false;
    return (isInternal ? internalApi : publicApi)(request, response);
  };
}
