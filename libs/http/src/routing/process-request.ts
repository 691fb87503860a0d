import type { Duplex } from 'node:stream';
import type { Route } from '@assay/contracts';
import { isAdministrator } from '@assay/domain';
import type { AppError } from '@assay/errors';
import type { Logger } from '@assay/runtime';
import { assertPermissions } from '../auth/assert-permissions.js';
import type { Authenticate, Identity } from '../auth/bearer-auth.js';
import type { ReadBodyOptions } from '../body/read-body.js';
import { markAuthenticated } from '../request/authenticated-connections.js';
import { originOf, type IsTrustedProxy } from '../request/client-address.js';
import { waitMsOf, type RequestContext } from '../request/request-context.js';
import type { UnencodedResponse, WireResponse } from '../response/response.js';
import type { BodyGrant, ByteBudget } from '../scheduling/byte-budget.js';
import type { ConcurrencyLimit } from '../scheduling/concurrency-limit.js';
import type { FairScheduler } from '../scheduling/fair-scheduler.js';
import type { ScheduledTask } from '../scheduling/scheduled-task.js';
import type { Binding, IncomingRequest } from './bind.js';

/** A request as its protocol receives it. */
export interface RequestSource extends Pick<
  IncomingRequest,
  'headers' | 'http' | 'params' | 'requestParts' | 'query' | 'hasBody' | 'sendContinue'
> {
  readonly requestId: string;
  readonly socket: Duplex & { readonly remoteAddress?: string | undefined };
  /** Reads the body within the byte budget of `grant`. @throws what `readBody` of `body/` throws */
  readBody(grant: BodyGrant, options: ReadBodyOptions): Promise<Buffer>;
  /** Returns a signal that aborts when the client disconnects before the response. */
  disconnectSignal(): AbortSignal;
}

export interface ProcessDeps {
  readonly authenticate: Authenticate;
  readonly budget: ByteBudget;
  /** Decides when the processing of a body starts. */
  readonly scheduler: FairScheduler;
  /** Maximum size of a body after decompression, in bytes; 50 MB by default. */
  readonly maxBodyBytes?: number;
  readonly isTrustedProxy: IsTrustedProxy;
}

/** What a request holds during its processing. */
export class RequestResources {
  /** Who is charged for the work. */
  account = '';
  grant?: BodyGrant;
  task?: ScheduledTask;

  /** Releases everything. Call it before the response is sent. */
  release(): void {
    this.grant?.release();
    this.task?.close();
  }
}

/**
 * Authenticates a request and passes it to the binding. Requests of every protocol take this path, so that they share
 * the byte budgets and the event loop.
 * @param resources receives what the request holds; the caller releases it, also after a failure
 * @returns undefined when the binding has sent the response
 */
export async function processRequest(
  binding: Binding,
  source: RequestSource,
  resources: RequestResources,
  deps: ProcessDeps & { readonly withLimit: ConcurrencyLimit },
): Promise<WireResponse | UnencodedResponse | undefined> {
  const { headers, requestId } = source;
  const { route, sharedWith } = binding;
  const { principal, dataPlane } = await deps.authenticate((sharedWith ?? route).access, headers);
  const account = (resources.account = accountOf(route, { principal, dataPlane }));
  if (!sharedWith) assertPermissions(route, principal);
  if (principal !== undefined || dataPlane !== undefined) markAuthenticated(source.socket);
  const origin = originOf(source, dataPlane, deps.isTrustedProxy);
  const grant = (resources.grant = deps.budget.open(account));
  const task = (resources.task = deps.scheduler.open(account));
  const { yieldToEventLoop, runInTurns } = task;
  const incoming = incomingRequest(source, task, bodyReader(source, grant, task, deps.maxBodyBytes));
  const context = contextOf(
    { caller: principal ?? dataPlane, requestId, origin, yieldToEventLoop, runInTurns },
    source,
  );
  return deps.withLimit(() => binding.handle(incoming, context));
}

/**
 * Requests without a project share one account. Those of a data plane have one for each route, so that the look-up of a
 * key never waits behind a batch of events.
 */
function accountOf({ access, operation }: Route, { principal, dataPlane }: Identity): string {
  if (access === 'data-plane' && dataPlane) return `${dataPlane.id}/${operation}`;
  return principal === undefined || isAdministrator(principal) ? '' : principal.projectId;
}

function incomingRequest(
  source: RequestSource,
  task: ScheduledTask,
  readBody: IncomingRequest['readBody'],
): IncomingRequest {
  const { headers, http, params, requestParts, query, hasBody } = source;
  return {
    headers,
    http,
    params,
    requestParts,
    query,
    hasBody,
    sendContinue: () => source.sendContinue(),
    begin: async () => {
      task.assertCapacity();
      await task.begin(0);
    },
    charge: (ms) => task.charge(ms),
    readBody,
  };
}

function bodyReader(
  source: RequestSource,
  grant: BodyGrant,
  task: ScheduledTask,
  maxBytes: number | undefined,
): IncomingRequest['readBody'] {
  const onAccepted = () => source.sendContinue();
  return async (options) => {
    task.assertCapacity();
    const body = await source.readBody(grant, { ...options, maxBytes, onAccepted });
    await task.begin(body.length);
    return body;
  };
}

type KnownContext<C> = Pick<
  RequestContext<C>,
  'caller' | 'requestId' | 'origin' | 'yieldToEventLoop' | 'runInTurns'
>;

function contextOf<C>(known: KnownContext<C>, source: RequestSource): RequestContext<C> {
  let signal: AbortSignal | undefined;
  return {
    ...known,
    waitMs: waitMsOf(source.headers),
    get signal() {
      return (signal ??= source.disconnectSignal());
    },
    headers: source.headers,
  };
}

/** Logs failures that an operator can fix. Mistakes of clients are only counted. */
export function logFailure(
  failure: AppError,
  { operation }: Route,
  requestId: string,
  logger: Logger | undefined,
): void {
  const fields = { operation, requestId, code: failure.code };
  if (failure.code === 'INTERNAL_ERROR') logger?.error('request failed', fields, failure.cause ?? failure);
  else if (failure.code === 'UNAVAILABLE')
    logger?.warn('request failed, dependency unavailable', fields, failure.cause ?? failure);
}
