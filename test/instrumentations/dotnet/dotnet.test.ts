import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeMessage } from '@assay/otlp';
import { callGrpc, type GrpcSignal } from '../../harness/otlp/call-grpc.js';
import { freePort } from '../../harness/stack/free-port.js';
import { onStack } from '../../harness/stack/on-stack.js';
import { startStandalone } from '../../harness/stack/start-standalone.js';
import { allEvents } from '../scene/all-events.js';
import type { FoundEvent } from '../scene/programs.js';

/** What an exporter sent, byte by byte; see `record.mjs`. */
interface Recording {
  readonly userAgent: string;
  readonly requests: readonly {
    readonly path: string;
    readonly contentType: string;
    readonly body: string;
  }[];
}

/** Flag for compression and length before the message of a call. */
const PREFIX_BYTES = 5;
const recording = (name: string) =>
  JSON.parse(readFileSync(join(__dirname, `${name}.json`), 'utf8')) as Recording;
const signalOf = (path: string): GrpcSignal =>
  (['trace', 'logs', 'metrics'] as const).find((signal) => path.includes(`.${signal}.`)) ?? 'trace';

/** The wire form is that of the exporter: lengths with reserved bytes, and on gRPC no compression. */
describe.each(['http', 'grpc'])('the recorded exporter of .NET by %s', (protocol) => {
  const { userAgent, requests } = recording(protocol);
  let grpcPort = 0;
  const { stack, client } = onStack(async () => {
    grpcPort = await freePort();
    return startStandalone({ ASSAY_OTLP_GRPC_PORT: String(grpcPort) });
  });
  let events: FoundEvent[] = [];
  const named = (name: string) =>
    events.filter(({ event_name, event_type }) => event_name === name && event_type !== 'session');

  /** Sends the bytes of a recorded request; returns the message of the response. */
  async function send({ path, contentType, body }: Recording['requests'][number]): Promise<Buffer> {
    const bytes = Buffer.from(body, 'base64');
    if (protocol === 'http') {
      const response = await fetch(`${stack.baseUrl}/opentelemetry${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${stack.apiKey}`,
          'content-type': contentType,
          'user-agent': userAgent,
        },
        body: bytes,
      });
      expect([response.status, response.headers.get('content-type')]).toEqual([200, contentType]);
      return Buffer.from(await response.arrayBuffer());
    }
    const call = { key: stack.apiKey, signal: signalOf(path) };
    const { error, response } = await callGrpc(`127.0.0.1:${grpcPort}`, bytes.subarray(PREFIX_BYTES), call);
    expect(error).toBeNull();
    return response ?? Buffer.alloc(0);
  }

  it('has every request accepted, twice, and is one event for each span', async () => {
    expect(userAgent).toBe('OTel-OTLP-Exporter-Dotnet/1.15.3');
    for (const request of [...requests, ...requests]) {
      const response = await send(request);
      if (/trace/.test(request.path)) expect(response).toHaveLength(0);
      // The records of other libraries are not stored, and counted.
      if (/logs/.test(request.path))
        expect(decodeMessage('ExportLogsServiceResponse', response)).toMatchObject({
          partialSuccess: { rejectedLogRecords: expect.anything() as unknown },
        });
    }
    events = await allEvents(client);
    expect(
      events
        .filter(({ event_type }) => event_type !== 'session')
        .map(({ event_name }) => event_name)
        .sort(),
    ).toEqual(['ListToolsHandler', 'ServerStarted', 'ToolExecuted', 'ToolExecuted']);
  });

  it('keeps attributes, scope and resource with their types', () => {
    expect(named('ServerStarted')[0]).toMatchObject({
      error: null,
      metadata: {
        ServerMode: 'all',
        IsReadOnly: false,
        otel: {
          scope: { name: 'Azure.Mcp.Server', version: '2.0.5' },
          resource: { 'telemetry.sdk.language': 'dotnet', 'telemetry.sdk.version': '1.15.3' },
        },
      },
    });
  });

  it('has the error of the call that failed', () => {
    const failed = named('ToolExecuted').filter(({ error }) => error !== null);
    expect(failed).toEqual([
      expect.objectContaining({
        error: 'Either --subscription or --topic is required.',
        metadata: expect.objectContaining({
          ToolName: 'eventgrid_subscription_list',
          error_type: 'ValidationError',
        }) as object,
      }),
    ]);
  });
});
