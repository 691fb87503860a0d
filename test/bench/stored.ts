import { waitFor } from '@assay/testing';
import { Client } from '../harness/stack/client.js';
import type { Stack } from '../harness/stack/stack.js';

/** Resolves once everything accepted is stored; fails after two minutes. */
export async function stored(stack: Stack): Promise<void> {
  await waitFor(
    'everything is stored',
    async () => {
      const body = {
        limit: 1,
        filters: [{ field: 'event_id', operator: 'is', value: '00000000-0000-4000-8000-000000000000' }],
      };
      const response = await new Client(stack).post('/v1/events/search', body, {
        headers: { prefer: 'wait=10' },
      });
      return response.headers.get('assay-freshness') === 'current';
    },
    { withinMs: 120_000 },
  );
}
