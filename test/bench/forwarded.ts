import { waitFor } from '@assay/testing';
import type { Stack } from '../harness/stack/stack.js';
import { readMetrics } from '../harness/stack/read-metrics.js';

const FORWARDED_WITHIN_MS = 400_000;
/** A scrape takes 1.5 ms of CPU of the process that is measured: every 10 ms it would be a seventh of a core. */
const POLL_INTERVAL_MS = 250;

/** Resolves once every stored event is forwarded. */
export async function forwarded(stack: Stack): Promise<void> {
  const service = ['readers', 'data-plane'].find((name) => stack.services.includes(name)) ?? 'standalone';
  await waitFor(
    'the events are forwarded',
    async () => {
      const text = await readMetrics(stack.adminUrl(service));
      const count = (name: string) =>
        Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\d+)`, 'm').exec(text)?.[1] ?? 0);
      return count('assay_forward_records_total') >= count('assay_store_records_total');
    },
    { withinMs: FORWARDED_WITHIN_MS, pollIntervalMs: POLL_INTERVAL_MS },
  );
}
