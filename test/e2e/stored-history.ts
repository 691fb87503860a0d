import { randomUUID } from 'node:crypto';
import type { Client } from '../harness/stack/client.js';

type Found = Record<string, unknown> & { readonly event_id: string };

/** Events with updates and deletes, and what a client has to see of them after a restore. */
export class StoredHistory {
  private readonly marker = randomUUID();
  private readonly scores = new Map<string, number>();

  constructor(private readonly client: Client) {}

  /** Ids of the visible events, oldest first. */
  get ids(): string[] {
    return [...this.scores.keys()];
  }

  /** Creates events in one session, updates every second one, and deletes the last one. */
  async add(count: number): Promise<void> {
    const session_id = randomUUID();
    const ids = Array.from({ length: count }, () => randomUUID());
    const events = ids.map((event_id, step) => ({
      event_id,
      event_type: 'tool',
      inputs: { step },
      metadata: { marker: this.marker },
      metrics: { score: 0 },
    }));
    await this.expect200('POST', '/v1/events/batch', {
      events,
      single_session: true,
      session_properties: { session_id },
    });
    for (const id of ids) this.scores.set(id, 0);
    for (const [index, id] of ids.entries()) if (index % 2 === 0) await this.update(id, index + 1);
    const last = ids.at(-1) ?? '';
    await this.expect200('DELETE', `/v1/events/${last}`);
    this.scores.delete(last);
  }

  async update(eventId: string, score: number): Promise<void> {
    await this.expect200('PUT', `/v1/events/${eventId}`, { metrics: { score } });
    this.scores.set(eventId, score);
  }

  /** Reads all events once what was accepted is stored, and expects each of them once, with its last update. */
  async expectVisible(): Promise<void> {
    const filters = [{ field: 'metadata.marker', operator: 'is', value: this.marker, type: 'string' }];
    const response = await this.client.post(
      '/v1/events/search',
      { filters, limit: 1_000 },
      { headers: { prefer: 'wait=30' } },
    );
    if (response.status !== 200) throw new Error(`search returned ${response.status}: ${response.text}`);
    expect(response.headers.get('assay-freshness')).toBe('current');
    const { events, count } = response.json<{ events: Found[]; count: number }>();
    const found = events.map(({ event_id, metrics }) => [event_id, (metrics as { score: number }).score]);
    expect(count).toBe(this.scores.size);
    expect(found.sort()).toEqual([...this.scores].sort());
  }

  private async expect200(method: string, path: string, body?: unknown): Promise<void> {
    const response = await this.client.call(method, path, body === undefined ? {} : { body });
    expect([method, response.status]).toEqual([method, 200]);
  }
}
