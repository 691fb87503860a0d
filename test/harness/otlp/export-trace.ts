import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { testProgramArgs } from '../processes/test-program.js';

export interface ExportRequest {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly encoding: 'protobuf' | 'json';
  /** Part of the chat message of the trace. */
  readonly marker: string;
}

/** Sends a trace (a failed root with one GenAI child) through a stock exporter in a separate process; returns its id. */
export async function exportTrace({ baseUrl, apiKey, encoding, marker }: ExportRequest): Promise<string> {
  const program = testProgramArgs('harness/otlp/export-program.ts');
  const environment = {
    PATH: process.env.PATH,
    OTEL_ENDPOINT: `${baseUrl}/opentelemetry/v1/traces`,
    OTEL_KEY: apiKey,
  };
  const { stdout } = await promisify(execFile)(process.execPath, [...program, encoding, marker], {
    env: environment,
    timeout: 20_000,
  });
  return stdout.trim();
}
