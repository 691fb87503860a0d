import { waitFor } from '@assay/testing';
import type { FilterInput } from '@assay/domain';
import type { Client } from '../harness/stack/client.js';

/** Ids in their order, so that two selections can be compared. */
export type Ids = readonly string[];

/** Bits of a sum of powers of two that a double holds exactly. */
const WORD = 50;
/** Events of a draft by id. */
const DRAFT_EVENTS = 50;
const WAIT = { headers: { prefer: 'wait=30' } };
const EVERY = { criteria: 'weighted average', child_metrics: [{ name: 'base', weight: 1 }] };

/** The fields that tell a chart which events it has: one bit for each event. */
export function bitOf(index: number): { readonly word: string; readonly bit: number } {
  return { word: `w${Math.floor(index / WORD)}`, bit: 2 ** (index % WORD) };
}

/** The ways in which a filter of a project selects events. All events have the metric `base` and the fields of {@link bitOf}. */
export class FilterWays {
  constructor(
    private readonly client: Client,
    /** In the order of their bits. */
    private readonly events: Ids,
  ) {}

  async searched(filters: readonly FilterInput[]): Promise<Ids> {
    const { events } = await this.client.search({ filters, limit: this.events.length });
    return events.map(({ event_id: id }) => String(id)).sort();
  }

  async exported(filters: readonly FilterInput[]): Promise<Ids> {
    const body = { filters, limit: this.events.length, projections: ['event_id'] };
    const { events } = await this.post<{ events: { event_id: string }[] }>('/v1/events/export', body, WAIT);
    return events.map(({ event_id: id }) => id).sort();
  }

  async charted(filters: readonly FilterInput[]): Promise<Ids> {
    const query = new URLSearchParams({
      ...{ metric: 'metadata.bit', aggregation: 'sum', groupBy: 'metadata.word', bucket: 'day' },
      ...{ dateRange: '7d', filters: JSON.stringify(filters) },
    });
    const chart = await this.get<{ events: { group: string; value: number }[] }>(
      `/v1/events/chart?${query.toString()}`,
    );
    const isIn = (_id: string, index: number) => {
      const { word, bit } = bitOf(index);
      const sums = chart.events.filter(({ group }) => group === word).map(({ value }) => value);
      return sums.some((sum) => Math.floor(sum / bit) % 2 === 1);
    };
    return this.events.filter(isIn).sort();
  }

  /** How many events a draft matches. */
  async matched(filters: readonly FilterInput[]): Promise<number> {
    const body = { metric: draft(filters), newest: 1 };
    return (await this.post<TriedMetric>('/v1/metrics/try', body, WAIT)).matched.events;
  }

  async draftedById(filters: readonly FilterInput[]): Promise<Ids> {
    const found: string[] = [];
    for (let from = 0; from < this.events.length; from += DRAFT_EVENTS) {
      const event_ids = this.events.slice(from, from + DRAFT_EVENTS);
      const { events } = await this.post<TriedMetric>('/v1/metrics/try', {
        metric: draft(filters),
        event_ids,
      });
      found.push(...events.flatMap(({ event_id: id, matches }) => (matches === true ? [id] : [])));
    }
    return found.sort();
  }

  /** Creates a metric, which scores the events that arrive, or those that a job asks for. */
  async createMetric(name: string, filters: readonly FilterInput[], kind: 'code' | 'composite' | 'job') {
    const python = { type: 'PYTHON', criteria: 'result = 1' };
    const body = {
      ...{ ...draft(filters), name, sampling_percentage: 100, enabled_in_prod: kind !== 'job' },
      ...(kind === 'code' ? { ...python, child_metrics: null } : {}),
    };
    return (await this.post<{ metric_id: string }>('/v1/metrics', body)).metric_id;
  }

  async createQueue(name: string, filters: readonly FilterInput[], enabled: boolean): Promise<string> {
    const body = { name, enabled, filters: { filterArray: filters } };
    return (await this.post<{ queue: { id: string } }>('/v1/queues', body)).queue.id;
  }

  /** The events that each of these metrics has scored, in one request. */
  async scored(names: readonly string[]): Promise<ReadonlyMap<string, Ids>> {
    const { events } = await this.post<{ events: ScoredEvent[] }>(
      '/v1/events/search',
      { filters: [], limit: this.events.length },
      WAIT,
    );
    const idsOf = (name: string) =>
      events.flatMap(({ event_id: id, metrics }) => ((metrics[name] ?? null) === null ? [] : [id])).sort();
    return new Map(names.map((name) => [name, idsOf(name)]));
  }

  async queued(queueId: string): Promise<Ids> {
    const { events } = await this.get<{ events: { event_id: string }[] }>(
      `/v1/queues/${queueId}/events?limit=1000`,
    );
    return events.map(({ event_id: id }) => id).sort();
  }

  async backfilled(queueId: string): Promise<Ids> {
    const response = await this.post<{ complete: boolean }>(`/v1/queues/${queueId}/backfill`, {});
    expect(response.complete).toBe(true);
    return this.queued(queueId);
  }

  async evaluateStored(metricId: string, filters: readonly FilterInput[] = []): Promise<void> {
    const { job } = await this.post<{ job: { id: string } }>(`/v1/metrics/${metricId}/evaluate`, { filters });
    const state = async () =>
      (await this.get<{ job: { state: string } }>(`/v1/jobs/${job.id}`, {})).job.state !== 'running';
    await waitFor('the job ends', state, { withinMs: 180_000, pollIntervalMs: 200 });
  }

  private async post<Body>(path: string, body: object, options = {}): Promise<Body> {
    const response = await this.client.post(path, body, options);
    expect([path, body, response.status, response.text]).toEqual([path, body, 200, expect.any(String)]);
    return response.json<Body>();
  }

  private async get<Body>(path: string, options: object = WAIT): Promise<Body> {
    const response = await this.client.call('GET', path, options);
    expect([path, response.status, response.text]).toEqual([path, 200, expect.any(String)]);
    return response.json<Body>();
  }
}

interface ScoredEvent {
  readonly event_id: string;
  readonly metrics: Readonly<Record<string, unknown>>;
}

interface TriedMetric {
  readonly events: readonly { readonly event_id: string; readonly matches: boolean | null }[];
  readonly matched: { readonly events: number };
}

function draft(filters: readonly FilterInput[]) {
  return { name: 'draft', type: 'COMPOSITE', ...EVERY, filters: { filterArray: filters } };
}
