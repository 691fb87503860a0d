import { join } from 'node:path';
import { callOverHttp2, openHttp2 } from '@assay/testing';
import { freePort } from '../harness/stack/free-port.js';
import { repository } from '../harness/stack/repository.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import type { Stack } from '../harness/stack/stack.js';
import { cpuSeconds } from './cpu-time.js';
import { otlpBody } from './otlp-body.js';
import { Prose, seeded } from './prose.js';
import { sendLoad } from './send-load.js';
import { stored } from './stored.js';

export interface GrpcFigures {
  readonly name: string;
  /** Spans by each protocol. */
  readonly spans: number;
  /** Microseconds of CPU per span, from the socket to the stored row. */
  readonly http: number;
  readonly grpc: number;
}

const CASES = [
  { name: '100 spans of 2 KB', requests: 100, spansPerRequest: 100 },
  { name: '1 span of 2 KB', requests: 3_000, spansPerRequest: 1 },
];
const SPAN_BYTES = 2_000;
const CONCURRENCY = 8;
/** The protocols take turns, so that slow changes of the machine concern both. */
const ROUNDS = 3;
const EXPORT = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';

type Send = (bodies: readonly Buffer[]) => Promise<void>;

/** Measures the same kind of load by both protocols in one run of one product. The bodies are compressed before. */
export async function* measureGrpc(): AsyncGenerator<GrpcFigures> {
  const port = String(await freePort());
  const settings = { LOG_LEVEL: 'warn', FORWARD_EVENTS: 'false', ASSAY_OTLP_GRPC_PORT: port };
  const stack = await startStandalone(settings);
  try {
    const [http, grpc] = [byHttp(stack), byGrpc(stack, `127.0.0.1:${port}`)];
    for (const { name, requests, spansPerRequest } of CASES) {
      const prose = new Prose(join(repository, 'node_modules'), seeded(requests));
      const bodies = () =>
        Array.from({ length: requests }, () => otlpBody(prose, spansPerRequest, SPAN_BYTES));
      for (const send of [http, grpc]) await cpuOf(stack, send, bodies());
      let [byHttpSeconds, byGrpcSeconds] = [0, 0];
      for (let round = 0; round < ROUNDS; round++) {
        byHttpSeconds += await cpuOf(stack, http, bodies());
        byGrpcSeconds += await cpuOf(stack, grpc, bodies());
      }
      const spans = ROUNDS * requests * spansPerRequest;
      yield { name, spans, http: (byHttpSeconds * 1e6) / spans, grpc: (byGrpcSeconds * 1e6) / spans };
    }
  } finally {
    await stack.stop();
  }
}

/** Seconds of CPU until everything is stored. */
async function cpuOf(stack: Stack, send: Send, bodies: readonly Buffer[]): Promise<number> {
  const pid = stack.pid('standalone');
  const before = cpuSeconds(pid);
  await send(bodies);
  await stored(stack);
  return cpuSeconds(pid) - before;
}

function byHttp({ baseUrl, apiKey }: Stack): Send {
  const url = `${baseUrl}/opentelemetry/v1/traces`;
  const headers = {
    'content-type': 'application/x-protobuf',
    'content-encoding': 'gzip',
    authorization: `Bearer ${apiKey}`,
  };
  return async (bodies) => {
    const { refused } = await sendLoad({ url, headers, bodies, concurrency: CONCURRENCY });
    if (refused > 0) throw new Error(`${refused} requests were refused`);
  };
}

function byGrpc({ apiKey }: Stack, address: string): Send {
  const headers = { 'grpc-encoding': 'gzip', authorization: `Bearer ${apiKey}` };
  return async (bodies) => {
    const session = openHttp2(address);
    let next = 0;
    const worker = async () => {
      for (let index = next++; index < bodies.length; index = next++) {
        const { code, text } = await callOverHttp2(session, {
          path: EXPORT,
          message: bodies[index]!,
          headers,
        });
        if (code !== 0) throw new Error(`a call was refused: ${text}`);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
    session.close();
  };
}
