import { Client, credentials, Metadata, type ServiceError } from '@grpc/grpc-js';

const METHODS = {
  trace: '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
  logs: '/opentelemetry.proto.collector.logs.v1.LogsService/Export',
  metrics: '/opentelemetry.proto.collector.metrics.v1.MetricsService/Export',
} as const;
export type GrpcSignal = keyof typeof METHODS;

export interface GrpcCall {
  /** API key; empty for a call without one. */
  readonly key: string;
  readonly signal?: GrpcSignal;
  readonly gzip?: boolean;
  /** Further metadata of the call. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface GrpcResult {
  readonly error: ServiceError | null;
  readonly response?: Buffer | undefined;
}

/** Sends a message of OTLP over gRPC, on a connection of its own. A failure is in the result. */
export function callGrpc(
  address: string,
  message: Buffer,
  { key, signal = 'trace', gzip, headers = {} }: GrpcCall,
): Promise<GrpcResult> {
  const bytes = (value: Buffer) => value;
  const options = { 'grpc.default_compression_algorithm': gzip ? 2 : 0 };
  const client = new Client(address, credentials.createInsecure(), options);
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
  if (key !== '') metadata.set('authorization', `Bearer ${key}`);
  return new Promise((resolve) => {
    client.makeUnaryRequest(METHODS[signal], bytes, bytes, message, metadata, (error, response) => {
      client.close();
      resolve({ error, response });
    });
  });
}
