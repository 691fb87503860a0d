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
 * The internal API as a listener for requests whose path begins with `/internal/v1/`. Its routes take the token of a data plane and
 * respond with nothing about a project that the token is not bound to. The byte budget is its own, so that clients of the public
 * API never keep data planes from authenticating keys.
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
