import { Metadata, status, type sendUnaryData } from '@grpc/grpc-js';
import type { Route } from '@assay/contracts';
import type { AppError } from '@assay/errors';
import type { Logger } from '@assay/runtime';
import type { TracedRoute } from '@assay/telemetry';
import { requestIdOf } from '../request/request-context.js';
import { toAppError } from '../response/error-response.js';
import { FailureWithHeaders, type UnencodedResponse, type WireResponse } from '../response/response.js';
import { unsentBytes } from '../connections/unsent-bytes.js';
import type { Binding } from '../routing/bind.js';
import {
  bindingDeps,
  endRequestSpan,
  logFailure,
  logRequest,
  processRequest,
  RequestResources,
  type ProcessDeps,
  type RequestSource,
} from '../routing/process-request.js';
import type { CallMetrics } from './call-metrics.js';
import { callStatus } from './call-status.js';
import type { IncomingStream, IncomingStreams } from './incoming-streams.js';
import { readMessage, type IncomingCall, type ReceivedCall } from './read-message.js';

export interface CallDeps extends ProcessDeps {
  readonly logger?: Logger;
  readonly metrics?: CallMetrics;
}

export interface CallLimits extends Pick<ReceivedCall, 'register'> {
  /** Time for a client to take the response, which its flow control may hold, in milliseconds. */
  readonly untakenMs?: number | undefined;
}

/** Handles one call. Never rejects; always sends a status, unless the call has ended. */
export type CallHandler = (call: IncomingCall, respond: sendUnaryData<Buffer>) => Promise<void>;

/** Time for the rest of a message that was rejected, so that the client sees the status before the stream ends. */
const DRAIN_MS = 1_000;
const UNTAKEN_MS = 10_000;
/** Minimum rate at which flow control lets a response pass, in bytes per millisecond. */
const MIN_BYTES_PER_MS = 1;

/** Returns the handler of a method: the binding handles its message as it handles the body of the same request by HTTP. */
export function makeCallHandler(
  binding: Binding,
  streams: Pick<IncomingStreams, 'of'>,
  deps: CallDeps & CallLimits,
): CallHandler {
  const { register, untakenMs = UNTAKEN_MS } = deps;
  const { route } = binding;
  const shared = bindingDeps(binding, deps);
  const traced = spanOf(route);

  return async function handle(call, respond) {
    const startedAt = performance.now();
    deps.scheduler.requestArrived();
    const incoming = streams.of(call.metadata);
    const requestId = requestIdOf(incoming.headers);
    const trailers = new Metadata();
    trailers.set('x-request-id', requestId);
    const resources = new RequestResources();
    const trace = deps.tracing?.startRequest(traced, incoming.headers);
    const source = callSource({ call, incoming, register }, { requestId, trace });
    let code: number = status.OK;
    let failed: AppError | undefined;
    try {
      const handled = await processRequest(binding, source, resources, shared);
      resources.release();
      const message = messageOf(handled);
      respond(null, message, trailers);
      closeUntaken(incoming, untakenMs + message.length / MIN_BYTES_PER_MS);
    } catch (error) {
      resources.release();
      failed = toAppError(error instanceof FailureWithHeaders ? error.cause : error, 'otlp');
      if (!call.cancelled) logFailure(failed, route, requestId, deps.logger);
      const sent = callStatus(failed, trailers);
      code = call.cancelled ? status.CANCELLED : sent.code;
      respond(sent);
      if (incoming.stream.readableEnded) closeUntaken(incoming, untakenMs);
      else closeWithin(incoming, DRAIN_MS);
    }
    const durationMs = performance.now() - startedAt;
    deps.metrics?.observe(route.operation, code, durationMs / 1000);
    const { operation } = route;
    const { account: projectId } = resources;
    endRequestSpan(trace, { projectId, statusName: 'rpc.grpc.status_code', status: code, error: failed });
    const line = { operation, requestId, projectId, status: code, durationMs, code: failed?.code };
    logRequest(deps.logger, line);
  };
}

function spanOf({ operation }: Route): TracedRoute {
  return { name: `grpc ${operation}`, attributes: { 'rpc.system': 'grpc', 'assay.operation': operation } };
}

function callSource(
  { call, incoming, register }: ReceivedCall,
  identity: Pick<RequestSource, 'requestId' | 'trace'>,
): RequestSource {
  const { socket } = incoming;
  const headers = { ...incoming.headers, 'content-type': 'application/x-protobuf' };
  return {
    headers,
    socket,
    ...identity,
    params: {},
    requestParts: [],
    query: '',
    hasBody: true,
    sendContinue: () => undefined,
    readBody: (grant, options) => readMessage({ call, incoming, register }, grant, options),
    disconnectSignal: () => cancelSignal(call),
  };
}

function cancelSignal(call: IncomingCall): AbortSignal {
  const abort = new AbortController();
  if (call.cancelled) abort.abort();
  else call.once('cancelled', () => abort.abort());
  return abort.signal;
}

function messageOf(handled: WireResponse | UnencodedResponse | undefined): Buffer {
  if (handled !== undefined && 'body' in handled) return Buffer.from(handled.body);
  throw new Error('the operation has not returned a message');
}

/**
 * Ends a call whose client does not let the response pass by its flow control. While the connection has bytes that the client has not
 * taken, the response waits for these, and the progress of the connection counts alone: see `StalledResponses`.
 */
function closeUntaken(incoming: IncomingStream, ms: number): void {
  closeWithin(incoming, ms, () => unsentBytes(incoming.socket) > 0);
}

/** Ends a call that is not over in this time, for example because its client continues to send a rejected message. */
function closeWithin({ stream }: IncomingStream, ms: number, mayContinue = () => false): void {
  if (stream.closed) return;
  const check = () => void (mayContinue() ? timer.refresh() : stream.close());
  const timer = setTimeout(check, ms).unref();
  stream.once('close', () => clearTimeout(timer));
}
