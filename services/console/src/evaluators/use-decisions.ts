import { useQuery } from '@tanstack/react-query';
import { decisionsOfMetric, type MetricAddress, type MetricDecisions } from '../api/metrics.js';
import { formatCount } from '../format/number.js';

/** What a metric has decided in a range of time. */
export const useDecisions = (address: MetricAddress, dateRange: string, isEnabled = true) =>
  useQuery({
    queryKey: ['metric decisions', address.project, address.metricId, dateRange],
    queryFn: ({ signal }) => decisionsOfMetric(address, dateRange, signal),
    enabled: isEnabled,
  });

/** The counts in words, those that succeeded first. */
export function decisionsText({ decisions }: MetricDecisions): string {
  const sorted = [...decisions].sort((a, b) => weight(a.decision) - weight(b.decision));
  const parts = sorted
    .filter(({ events }) => events > 0)
    .map(({ decision, events }) => `${formatCount(events)} ${decision.replaceAll('_', ' ')}`);
  return parts.length === 0 ? 'none' : parts.join(' · ');
}

const FIRST = ['scored', 'error', 'timeout', 'pending'];
const weight = (decision: string) => (FIRST.includes(decision) ? FIRST.indexOf(decision) : FIRST.length);
