import { randomUUID } from 'node:crypto';
import { spanEventId } from '@assay/domain';
import type { ApiResponse, CallOptions, Client } from '../harness/stack/client.js';
import type { History, Outcome } from './history.js';

export interface LoadOptions {
  readonly client: Client;
  readonly history: History;
  readonly projectId: string;
  /** Value of `metadata.chaos_run` in every event of this run. */
  readonly run: string;
  /** Random numbers in [0, 1), from a seed. */
  readonly random: () => number;
  /** Concurrent clients; each changes only its own events, one request at a time. */
  readonly clients: number;
}

/** Mixed load that continues until it is stopped, also while the server is down. */
export interface RunningLoad {
  /** Waits for the requests in progress. */
  stop(): Promise<void>;
  /** Acknowledged requests so far. */
  readonly acknowledged: number;
}

export function startLoad(options: LoadOptions): RunningLoad {
  const clients = Array.from({ length: options.clients }, () => new LoadClient(options));
  let stopped = false;
  const loops = clients.map(async (client) => {
    while (!stopped) await client.step();
  });
  return {
    stop: async () => {
      stopped = true;
      await Promise.all(loops);
    },
    get acknowledged() {
      return clients.reduce((sum, client) => sum + client.acknowledged, 0);
    },
  };
}

/** Pause after a failed request, because the server may be down. */
const PAUSE_AFTER_FAILURE_MS = 20;
const TIMEOUT_MS = 12_000;

class LoadClient {
  acknowledged = 0;
  private readonly alive: string[] = [];
  private counter = 0;

  constructor(private readonly options: LoadOptions) {}

  async step(): Promise<void> {
    const dice = this.options.random();
    if (this.alive.length < 3 || dice < 0.25) return this.createOne();
    if (dice < 0.4) return this.createBatch();
    if (dice < 0.55) return this.exportSpans();
    if (dice < 0.9) return this.update();
    return this.remove();
  }

  private async createOne(): Promise<void> {
    const event = this.newEvent();
    await this.send([['create', event]], () => this.call('POST', '/v1/events', { body: event }));
    this.alive.push(event.event_id);
  }

  private async createBatch(): Promise<void> {
    const events = Array.from({ length: 2 + Math.floor(this.options.random() * 10) }, () => this.newEvent());
    const kinds = events.map((event) => ['create', event] as const);
    await this.send(kinds, () => this.call('POST', '/v1/events/batch', { body: { events } }));
    this.alive.push(...events.map(({ event_id }) => event_id));
  }

  private async exportSpans(): Promise<void> {
    const traceId = hex(32, this.options.random);
    const spans = Array.from({ length: 3 }, () => ({
      spanId: hex(16, this.options.random),
      metadata: this.runMetadata(),
    }));
    const events = spans.map(({ spanId, metadata }) => ({
      event_id: spanEventId(this.options.projectId, traceId, spanId),
      metadata,
    }));
    const kinds = events.map((event) => ['create', event] as const);
    await this.send(kinds, () =>
      this.call('POST', '/opentelemetry/v1/traces', { body: otlpBody(traceId, spans) }),
    );
    this.alive.push(...events.map(({ event_id }) => event_id));
  }

  private async update(): Promise<void> {
    const event_id = this.pick();
    const body = {
      metadata: { touched: ++this.counter },
      metrics: { [`m${this.counter % 5}`]: this.counter },
    };
    await this.send([['update', { event_id, ...body }]], () =>
      this.call('PUT', `/v1/events/${event_id}`, { body }),
    );
  }

  private async remove(): Promise<void> {
    const event_id = this.pick();
    this.alive.splice(this.alive.indexOf(event_id), 1);
    await this.send([['delete', { event_id }]], () => this.call('DELETE', `/v1/events/${event_id}`));
  }

  private async send(
    operations: readonly (readonly ['create' | 'update' | 'delete', { event_id: string }])[],
    call: () => Promise<ApiResponse>,
  ): Promise<void> {
    const ends = operations.map(([kind, { event_id, ...body }]) =>
      this.options.history.begin(kind, event_id, kind === 'delete' ? {} : body),
    );
    const outcome = await call().then(outcomeOf, (): Outcome => 'unknown');
    for (const end of ends) end(outcome);
    if (outcome === 'ok') this.acknowledged++;
    else await new Promise((resume) => setTimeout(resume, PAUSE_AFTER_FAILURE_MS));
  }

  private call(method: string, path: string, options: CallOptions = {}): Promise<ApiResponse> {
    return this.options.client.call(method, path, { timeoutMs: TIMEOUT_MS, ...options });
  }

  private newEvent() {
    return {
      event_id: randomUUID(),
      event_type: 'tool' as const,
      inputs: { n: ++this.counter },
      metadata: this.runMetadata(),
    };
  }

  private runMetadata() {
    return { chaos_run: this.options.run, chaos_n: ++this.counter };
  }

  private pick(): string {
    return this.alive[Math.floor(this.options.random() * this.alive.length)]!;
  }
}

function outcomeOf(response: ApiResponse): Outcome {
  if (response.status === 200) return 'ok';
  return response.status >= 500 || response.status === 408 ? 'unknown' : 'fail';
}

function hex(length: number, random: () => number): string {
  return Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join('');
}

function otlpBody(
  traceId: string,
  spans: readonly { spanId: string; metadata: { chaos_run: string; chaos_n: number } }[],
) {
  const now = BigInt(Date.now()) * 1_000_000n;
  const time = { startTimeUnixNano: String(now), endTimeUnixNano: String(now + 1_000_000n) };
  const encoded = spans.map(({ spanId, metadata }) => ({
    traceId,
    spanId,
    name: 'chaos',
    ...time,
    attributes: [
      { key: 'chaos_run', value: { stringValue: metadata.chaos_run } },
      { key: 'chaos_n', value: { intValue: String(metadata.chaos_n) } },
    ],
  }));
  return { resourceSpans: [{ scopeSpans: [{ spans: encoded }] }] };
}
