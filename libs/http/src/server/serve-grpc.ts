import type { Socket } from 'node:net';
import { createServer } from 'node:tls';
import type { Metrics, TlsFiles } from '@assay/runtime';
import { makeBearerAuth } from '../auth/bearer-auth.js';
import { callMetrics } from '../grpc/call-metrics.js';
import { listenGrpc, type GrpcOptions, type ListeningGrpc, type SessionCalls } from '../grpc/listen-grpc.js';
import type { IsTrustedProxy } from '../request/client-address.js';
import type { FairScheduler } from '../scheduling/fair-scheduler.js';
import { connectionMetrics } from './connection-metrics.js';
import { Connections, type ConnectionLimits } from './connections.js';
import type { AppOptions } from './create-app.js';
import { explainListen } from './explain-listen.js';
import { BACKLOG, MAX_CONNECTIONS } from './listen.js';
import { followTlsFiles, tlsServerOptions } from './tls-server.js';

export interface ServeGrpcOptions extends AppOptions {
  readonly host: string;
  /** 0: any free port. Nothing is served when absent. */
  readonly grpcPort?: number;
  /** Files of TLS; plain TCP when absent. */
  readonly tls?: TlsFiles;
  readonly scheduler: FairScheduler;
  readonly limits: Partial<ConnectionLimits>;
  readonly isTrustedProxy: IsTrustedProxy;
  readonly metrics: Metrics;
}

const HANDSHAKE_MS = 10_000;
const SETTING = 'ASSAY_OTLP_GRPC_PORT';
const ADVICE = ', or 0 for no OTLP over gRPC';

/** Serves OTLP over gRPC by the bindings of the routes by HTTP. @throws StartError when the address is not available */
export async function serveGrpc(options: ServeGrpcOptions): Promise<ListeningGrpc | undefined> {
  const { host, grpcPort: port, bindings, limits, metrics, budget, tls } = options;
  if (port === undefined) return undefined;
  const measured = connectionMetrics(metrics, 'grpc');
  const connections = new Connections<SessionCalls>(
    { maxConnections: MAX_CONNECTIONS, ...limits },
    measured.closed,
  );
  measured.observe(() => connections.counts());
  const { scheduler, maxBodyBytes, isTrustedProxy, logger } = options;
  const deps = {
    authenticate: makeBearerAuth(options),
    budget,
    scheduler,
    maxBodyBytes,
    isTrustedProxy,
    logger,
    tracing: options.tracing,
    metrics: callMetrics(metrics, budget),
  };
  const accepting = tls ? encrypted(tls, connections) : { connections };
  return explainListen({ host, port, setting: SETTING, advice: ADVICE }, () =>
    listenGrpc({ host, port, backlog: BACKLOG, bindings, deps, ...accepting }),
  );
}

/** Accepts connections with TLS. A handshake counts as a connection. */
export function encrypted(
  tls: TlsFiles,
  connections: Connections<SessionCalls>,
): Pick<GrpcOptions, 'connections' | 'createSocketServer'> {
  return {
    connections: {
      add: (socket) => connections.addSecure(socket),
      begin: (socket, calls) => connections.begin(socket, calls),
      receive: (request) => connections.receive(request),
      rejectSlow: () => connections.rejectSlow(),
      closeUnauthenticated: (maxMs) => connections.closeUnauthenticated(maxMs),
      entries: () => connections.entries(),
      closeStalled: (socket) => connections.closeStalled(socket),
    },
    createSocketServer: (onConnection) => {
      const server = createServer(
        { ...tlsServerOptions(tls, HANDSHAKE_MS), ALPNProtocols: ['h2'] },
        onConnection,
      );
      server.on('connection', (socket: Socket) => connections.addHandshake(socket));
      followTlsFiles(server, tls);
      return server;
    },
  };
}
