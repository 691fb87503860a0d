import { waitFor } from '@assay/testing';
import type { Client } from '../harness/stack/client.js';
import type { Observed } from './judge-history.js';
import { fieldsOf } from './observed-fields.js';

const PAGE = 1000;

/** Fields that the server adds to an event. */
export const SERVER_FIELDS: ReadonlySet<string> = new Set(
  ['otel', 'trace_id', 'span_id', 'parent_span_id'].map((name) => `metadata.${name}`),
);

/** Reads every event of a run through search once everything accepted is stored. */
export async function readBack(client: Client, run: string, withinMs: number): Promise<Observed[]> {
  await waitFor(
    'everything accepted is stored',
    async () => {
      const response = await client
        .post('/v1/events/search', { limit: 1 }, { headers: { prefer: 'wait=30' } })
        .catch(() => undefined);
      return response?.status === 200 && response.headers.get('assay-freshness') === 'current';
    },
    { withinMs: withinMs },
  );
  const observed: Observed[] = [];
  for (let page = 1; ; page++) {
    const query = {
      filters: [{ field: 'metadata.chaos_run', operator: 'is', value: run, type: 'string' }],
      limit: PAGE,
      page,
    };
    const { events } = await client.search(query);
    observed.push(...events.map((event) => ({ id: String(event.event_id), fields: fieldsOf(event) })));
    if (events.length < PAGE) return observed;
  }
}
