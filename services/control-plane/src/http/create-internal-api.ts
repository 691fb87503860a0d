import type { RequestListener } from 'node:http';
import type { ControlPlane } from '@assay/control-plane-client';
import { ByteBudget, createApp, type IdentifyDataPlane } from '@assay/http';
import type { Logger } from '@assay/runtime';
import { internalBindings } from './internal-bindings.js';

export interface InternalApiOptions {
  readonly controlPlane: ControlPlane;
  readonly identifyDataPlane: IdentifyDataPlane;
  readonly logger?: Logger;
}

/**
 * Returns the listener of the internal API, for requests whose path begins with `/internal/v1/`. Its routes
 * require a data-plane token and disclose nothing about projects that the token is not bound to. The byte
 * budget is separate, so that clients of the public API cannot prevent data planes from authenticating keys.
 */
export function createInternalApi({
  controlPlane,
  identifyDataPlane,
  logger,
}: InternalApiOptions): RequestListener {
  return createApp({
    bindings: internalBindings(controlPlane),
    authenticator: controlPlane,
    identifyDataPlane,
    budget: new ByteBudget(),
    logger,
  });
}
