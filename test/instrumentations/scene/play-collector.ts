import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { waitFor } from '@assay/testing';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BasicTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { Client } from '../../harness/stack/client.js';
import { startStandalone } from '../../harness/stack/start-standalone.js';
import { allEvents } from './all-events.js';
import type { CollectorOutcome, CollectorScene } from './collector-scene.js';
import type { FoundEvent } from './programs.js';
import { startCollector } from './start-collector.js';

const ARRIVE_WITHIN_MS = 60_000;
const MAX_SPANS = 20_000;
/** After every tenth span: about a thousand spans a second. */
const PAUSE_MS = 10;

/** Sends spans without a pause; kills Assay once it holds some, and starts it when the Collector has noticed. */
export async function playCollector({ binary, spans }: CollectorScene): Promise<CollectorOutcome> {
  const dir = mkdtempSync(join(tmpdir(), 'assay-collector-'));
  const stack = await startStandalone();
  const { url, engine } = await startCollector(binary, dir, { url: stack.baseUrl, key: stack.apiKey });
  try {
    const client = new Client(stack);
    let isEnough = false;
    const sending = sendSpans(url, spans, () => isEnough);
    const keptBeforeKill = await waitFor('some spans are kept', () => someOf(client, spans / 10), {
      withinMs: ARRIVE_WITHIN_MS,
    });
    await stack.kill('standalone');
    await waitFor(
      'the Collector notices',
      () => Promise.resolve(engine.printed.includes('Exporting failed')),
      { withinMs: ARRIVE_WITHIN_MS },
    );
    await stack.start('standalone');
    const keptAfterStart = await spanIds(client);
    isEnough = true;
    const sent = await sending;
    await waitFor('every span is kept', async () => new Set(await spanIds(client)).size >= sent.length, {
      withinMs: ARRIVE_WITHIN_MS,
    });
    await engine.end('SIGTERM');
    return { sent, keptBeforeKill, keptAfterStart, kept: await spanIds(client) };
  } finally {
    await engine.end('SIGKILL');
    await stack.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

async function someOf(client: Client, atLeast: number): Promise<string[] | false> {
  const ids = await spanIds(client);
  return ids.length >= atLeast && ids;
}

/** Sends at least `count` spans, continues until `isEnough`, ten requests at a time; returns their ids. */
async function sendSpans(url: string, count: number, isEnough: () => boolean): Promise<string[]> {
  const provider = new BasicTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(new OTLPTraceExporter({ url }))],
  });
  const tracer = provider.getTracer('application');
  const ids: string[] = [];
  while (ids.length < count || (!isEnough() && ids.length < MAX_SPANS)) {
    const span = tracer.startSpan('step', { attributes: { n: ids.length, text: 'of the work' } });
    ids.push(span.spanContext().spanId);
    span.end();
    if (ids.length % 10 > 0) continue;
    await provider.forceFlush();
    await pause(PAUSE_MS);
  }
  await provider.shutdown();
  return ids;
}

async function spanIds(client: Client): Promise<string[]> {
  const events = (await allEvents(client)).filter((event: FoundEvent) => event.event_type !== 'session');
  return events.map(({ metadata }) => String(metadata.span_id));
}
