import type { IncomingHttpHeaders } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Route } from '@assay/contracts';
import { isAdministrator } from '@assay/domain';
import type { AppError } from '@assay/errors';
import type { Logger, YieldToEventLoop } from '@assay/runtime';
import type { RecordedSpan, Tracing } from '@assay/telemetry';
import { assertPermissions } from '../auth/assert-permissions.js';
import type { Authenticate, Identity } from '../auth/bearer-auth.js';
import type { AnyCaller } from '../auth/route-caller.js';
import type { ReadBodyOptions } from '../body/read-body.js';
import { markAuthenticated } from '../request/authenticated-connections.js';
import { originOf, type IsTrustedProxy, type Origin } from '../request/client-address.js';
import { waitMsOf, type RequestContext } from '../request/request-context.js';
import type { UnencodedResponse, WireResponse } from '../response/response.js';
import type { BodyGrant, ByteBudget } from '../scheduling/byte-budget.js';
import { makeConcurrencyLimit, type ConcurrencyLimit } from '../scheduling/concurrency-limit.js';
import type { FairScheduler } from '../scheduling/fair-scheduler.js';
import type { ScheduledTask } from '../scheduling/scheduled-task.js';
import type { Binding, IncomingRequest } from './bind.js';

/** A request as its protocol receives it. */
export interface RequestSource extends Pick<
  IncomingRequest,
  'headers' | 'http' | 'params' | 'requestParts' | 'query' | 'hasBody' | 'sendContinue'
> {
  readonly requestId: string;
  /** Undefined when the request is not traced. */
  readonly trace: RecordedSpan | undefined;
  readonly socket: Duplex & { readonly remoteAddress?: string | undefined };
  /** Reads the body within the byte budget of `grant`. @throws what `readBody` of `body/` throws */
  readBody(grant: BodyGrant, options: ReadBodyOptions): Promise<Buffer>;
  /** Returns a signal that aborts when the client disconnects before the response. */
  disconnectSignal(): AbortSignal;
}

/** What the requests of all bindings share. */
export interface ProcessDeps {
  readonly authenticate: Authenticate;
  readonly budget: ByteBudget;
  /** Decides when the processing of a body starts. */
  readonly scheduler: FairScheduler;
  /** Maximum size of a body after decompression, in bytes; 50 MB by default. */
  readonly maxBodyBytes?: number;
  readonly isTrustedProxy: IsTrustedProxy;
  /** Name of the header, in lower case, in which a trusted proxy states who the person is. */
  readonly identityHeader?: string | undefined;
  /** Absent when this process traces nothing. */
  readonly tracing?: Tracing | undefined;
}

/** What the requests of one binding share. */
export interface BindingDeps extends ProcessDeps {
  readonly withLimit: ConcurrencyLimit;
}

/** Applies the limits of the binding's route. Call it once per binding. */
export function bindingDeps({ route: { limits } }: Binding, deps: ProcessDeps): BindingDeps {
  const maxBodyBytes = limits?.maxBodyBytes ?? deps.maxBodyBytes;
  return { ...deps, maxBodyBytes, withLimit: makeConcurrencyLimit(limits?.maxConcurrent) };
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
  deps: BindingDeps,
): Promise<WireResponse | UnencodedResponse | undefined> {
  const { headers } = source;
  const { route, sharedWith, delegates } = binding;
  const { principal, dataPlane } = await deps.authenticate((sharedWith ?? route).access, headers);
  const account = (resources.account = accountOf(route, { principal, dataPlane }));
  if (!sharedWith && !delegates) assertPermissions(route, principal);
  if (principal !== undefined || dataPlane !== undefined)
    markAuthenticated(source.socket, dataPlane?.id ?? account);
  const stated = originOf(source, dataPlane, deps.isTrustedProxy, deps.identityHeader);
  const person = personOf(principal);
  const origin = person === undefined ? stated : { ...stated, identity: person };
  const grant = (resources.grant = deps.budget.open(account));
  const task = (resources.task = deps.scheduler.open(account));
  const incoming = incomingRequest(source, task, bodyReader(source, grant, task, deps.maxBodyBytes));
  const context = new SourceContext(source, principal ?? dataPlane, origin, task);
  return deps.withLimit(() => binding.handle(incoming, context));
}

/** The name of a person whom the identity provider knows has precedence over what a proxy states. */
function personOf(principal: Identity['principal']): string | undefined {
  return principal === undefined || isAdministrator(principal) ? undefined : principal.person;
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
    const body = await source.readBody(grant, { sniffGzip: options?.sniffGzip, maxBytes, onAccepted });
    await task.begin(body.length);
    return body;
  };
}

/**
 * The context of a request. A class and not an object with a getter: V8 gives each object that has a getter of its own
 * another hidden class, so that every access to it is slow.
 */
class SourceContext implements RequestContext<AnyCaller> {
  readonly requestId: string;
  readonly headers: IncomingHttpHeaders;
  readonly waitMs: number | undefined;
  readonly yieldToEventLoop: YieldToEventLoop;
  readonly runInTurns: ScheduledTask['runInTurns'];
  readonly trace: RecordedSpan | undefined;
  private disconnected: AbortSignal | undefined;

  constructor(
    private readonly source: RequestSource,
    readonly caller: AnyCaller,
    readonly origin: Origin,
    task: ScheduledTask,
  ) {
    this.requestId = source.requestId;
    this.headers = source.headers;
    this.waitMs = waitMsOf(source.headers);
    this.yieldToEventLoop = task.yieldToEventLoop;
    this.runInTurns = task.runInTurns;
    this.trace = source.trace;
  }

  get signal(): AbortSignal {
    return (this.disconnected ??= this.source.disconnectSignal());
  }
}

/** Attributes of a span when its request has been answered. */
export function endRequestSpan(
  span: RecordedSpan | undefined,
  { projectId, statusName, status, error }: EndedRequest,
): void {
  if (span === undefined) return;
  span.set({ [statusName]: status, ...(projectId !== '' && { 'assay.project.id': projectId }) });
  if (error !== undefined) span.set({ 'error.type': error.code });
  span.end(error !== undefined && error.status >= 500 ? error.code : undefined);
}

interface EndedRequest {
  readonly projectId: string;
  readonly statusName: 'http.response.status_code' | 'rpc.grpc.status_code';
  readonly status: number;
  readonly error: AppError | undefined;
}

/** What is logged of every request at the level `debug`. */
export type RequestLine = {
  readonly operation: string;
  readonly requestId: string;
  /** Empty when it is not known. */
  readonly projectId: string;
  /** Status of HTTP or of gRPC. */
  readonly status: number;
  readonly durationMs: number;
  /** Code of the failure. */
  readonly code: string | undefined;
};

export function logRequest(logger: Logger | undefined, line: RequestLine): void {
  logger?.debug('request handled', line);
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
