import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { estimateCost, loadPrices } from '@assay/otlp';
import { repository } from '../harness/stack/repository.js';
import { snippetsOf } from './documents/snippets.js';
import { collectorBinary, nodeFolder, pythonWith } from './packages/client-packages.js';
import { playPrograms } from './scene/play.js';
import type { FoundEvent, Program, SceneOutcome } from './scene/programs.js';

const snippets = snippetsOf(join(repository, 'docs/sending-data.md'));
const MODEL = 'export OPENAI_BASE_URL="$MODEL_URL" OPENAI_API_KEY=unused';
const WITHOUT_PATH =
  'unset OTEL_EXPORTER_OTLP_TRACES_ENDPOINT; export OTEL_EXPORTER_OTLP_ENDPOINT="$ASSAY_URL/opentelemetry"';
const TRACE_STEP = `
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
import sys
provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
provider.get_tracer("step").start_span(sys.argv[1]).end()
provider.shutdown()
`;

const GRPC_STEP = TRACE_STEP.replace('otlp.proto.http', 'otlp.proto.grpc');

/** Starts a collector of the document, sends a span to it, and ends it, which sends what it holds. */
const throughCollector = (collector: string, python: string, config: string, span: string) => `
: > collector.log; "${collector}" --config ${config} 2> collector.log & pid=$!
until grep -q 'Everything is ready' collector.log; do kill -0 $pid; done
export OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=http://127.0.0.1:4318/v1/traces
unset OTEL_EXPORTER_OTLP_TRACES_HEADERS
"${python}" step.py '${span}'
kill $pid; wait $pid
! grep -i 'exporting failed' collector.log`;

describe('docs/sending-data.md', () => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-document-'));
  let outcome: SceneOutcome;
  const named = (name: string): FoundEvent | undefined =>
    outcome.events.find((event) => event.event_type !== 'session' && event.event_name === name);
  const sessionOf = (event: FoundEvent | undefined) =>
    outcome.events.find(({ event_id }) => event_id === event?.session_id);

  beforeAll(async () => {
    for (const { name, text } of snippets) writeFileSync(join(dir, name), text);
    writeFileSync(join(dir, 'step.py'), TRACE_STEP);
    writeFileSync(join(dir, 'step_grpc.py'), GRPC_STEP);
    symlinkSync(join(await nodeFolder(), 'node_modules'), join(dir, 'node_modules'));
    const python = await pythonWith('instrumentations');
    const script = (text: string): Program => ({
      file: 'bash',
      args: ['-euc', `cd "${dir}"; . ./variables; . ./environment; ${text}`],
    });
    const collector = await collectorBinary();
    const programs = [
      script(`"${python}" step.py 'by environment'`),
      script(`. ./environment-grpc; "${python}" step_grpc.py 'by gRPC'`),
      script(`${WITHOUT_PATH}; "${python}" step.py 'by environment, without the path'`),
      script(`${MODEL}; "${python}" trace_openai.py`),
      script(`${MODEL}; node trace-ai-sdk.mjs`),
      script(throughCollector(collector, python, 'collector.yaml', 'through the collector')),
      script(throughCollector(collector, python, 'collector-grpc.yaml', 'through the collector by gRPC')),
      script('. ./send-trace.sh'),
      script('. ./send-events.sh'),
      script(`"${await pythonWith('public-client')}" public_client.py`),
      script('. ./search.sh'),
    ];
    outcome = await playPrograms({ programs, programWithinMs: 60_000 });
  }, 900_000);
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  it('has only blocks that this test runs', () => {
    const names = snippets.map(({ name }) => name);
    expect(names).toEqual([
      'variables',
      'environment',
      'environment-grpc',
      'trace_openai.py',
      'trace-ai-sdk.mjs',
      'collector.yaml',
      'collector-grpc.yaml',
      'send-trace.sh',
      'send-events.sh',
      'public_client.py',
      'search.sh',
      'prices.json',
    ]);
  });

  it('has a table of prices that the product reads', () => {
    const table = loadPrices(readFileSync(join(dir, 'prices.json'), 'utf8'));
    const tokens = { prompt: 100_000, completion: 0, cacheRead: 0, cacheWrite: 0 };
    expect(table.asOf).toBe('2026-11-26');
    expect(estimateCost(table, { model: 'my-finetune-7' }, tokens)).toBe(0.1);
  });

  it('has only blocks that run without an error', () => {
    expect(outcome.ends.map(({ status, stderr }) => ({ status, stderr }))).toEqual(
      outcome.ends.map(() => ({ status: 0, stderr: '' })),
    );
  });

  it('sends by nothing but the environment, and through the Collector', () => {
    expect(named('by environment')).toMatchObject({ event_type: 'chain' });
    expect(named('by environment, without the path')).toMatchObject({ event_type: 'chain' });
    expect(named('by gRPC')).toMatchObject({ event_type: 'chain' });
    expect(named('through the collector')).toMatchObject({ event_type: 'chain' });
    expect(named('through the collector by gRPC')).toMatchObject({ event_type: 'chain' });
  });

  it('sends from Python with the session and the user that the document names', () => {
    const chat = outcome.events.find(({ parent_id }) => parent_id === named('answer from Python')?.event_id);
    expect(chat).toMatchObject({
      event_type: 'model',
      outputs: { content: 'Hello from the model.' },
      metadata: { prompt_tokens: 1234 },
    });
    expect(named('answer from Python')).toMatchObject({
      metadata: { session_key: 'chat-42' },
      user_properties: { user_id: 'user-9' },
    });
  });

  it('sends from the AI SDK', () => {
    expect(named('ai.generateText')).toMatchObject({
      event_type: 'chain',
      metadata: { session_key: 'chat-43', function_id: 'greet' },
    });
    expect(named('ai.generateText.doGenerate')).toMatchObject({
      event_type: 'model',
      outputs: { content: 'Hello from the model.' },
    });
  });

  it('sends traces and events with curl', () => {
    expect(named('chat from curl')).toMatchObject({
      event_type: 'model',
      inputs: { chat_history: [{ role: 'user', content: 'Hello' }] },
      metadata: { session_key: 'chat-44', total_tokens: 15 },
      duration: 250,
    });
    const event = named('event from curl');
    expect(event).toMatchObject({
      feedback: { rating: 5 },
      metrics: { helpful: true },
      metadata: { total_tokens: 15 },
    });
    expect(sessionOf(event)).toMatchObject({
      event_name: 'session from curl',
      source: 'production',
      metadata: { num_events: 1 },
    });
    expect(sessionOf(named('search from curl'))).toMatchObject({
      event_name: 'batch from curl',
      metadata: { num_events: 2 },
    });
    expect(named('summary from curl')?.session_id).toBe(named('search from curl')?.session_id);
  });

  it('sends from the public client', () => {
    const response = named('answer from the public client');
    expect(response).toMatchObject({
      event_type: 'chain',
      metadata: { channel: 'mail' },
      metrics: { score: 0.9 },
    });
    expect(sessionOf(response)).toMatchObject({
      event_name: 'session from the public client',
      feedback: { thumbs: 'up' },
    });
  });

  it('finds what arrived', () => {
    const response = JSON.parse(outcome.ends.at(-1)!.stdout) as { events: FoundEvent[]; count: number };
    expect(response.count).toBe(2);
    const [chat, session] = ['model', 'session'].map((type) =>
      response.events.find(({ event_type }) => event_type === type),
    );
    expect(chat).toMatchObject({ event_name: 'chat from curl', session_id: session?.event_id });
  });
});
