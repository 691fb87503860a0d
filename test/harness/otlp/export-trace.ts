import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { testProgramArgs } from '../processes/test-program.js';

export interface ExportRequest {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly encoding: 'protobuf' | 'json' | 'grpc';
  /** `host:port` of OTLP over gRPC, for that encoding. */
  readonly grpcAddress?: string;
  /** Part of the chat message of the trace. */
  readonly marker: string;
}

/** Sends a trace (a failed root with one GenAI child) through a stock exporter in a separate process; returns its id. */
export async function exportTrace(request: ExportRequest): Promise<string> {
  const { baseUrl, apiKey, encoding, marker, grpcAddress } = request;
  const program = testProgramArgs('harness/otlp/export-program.ts');
  const environment = {
    PATH: process.env.PATH,
    OTEL_ENDPOINT: `${baseUrl}/opentelemetry/v1/traces`,
    OTEL_KEY: apiKey,
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://${grpcAddress}`,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${apiKey}`,
    OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
  };
  const { stdout } = await promisify(execFile)(process.execPath, [...program, encoding, marker], {
    env: environment,
    timeout: 20_000,
  });
  return stdout.trim();
}
