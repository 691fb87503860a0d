import { useQuery } from '@tanstack/react-query';
import { readMetric, versionsOfMetric, type MetricAddress } from '../api/metrics.js';

/** A metric and its versions, oldest first. */
export function useMetric(address: MetricAddress) {
  const { project, metricId } = address;
  const metric = useQuery({
    queryKey: ['metric', project, metricId],
    queryFn: ({ signal }) => readMetric(address, signal),
  });
  const versions = useQuery({
    queryKey: ['metric versions', project, metricId],
    queryFn: ({ signal }) => versionsOfMetric(address, signal),
  });
  return {
    metric: metric.data,
    versions: versions.data?.data,
    error: metric.error ?? versions.error,
    retry: () => void Promise.all([metric.refetch(), versions.refetch()]),
  };
}
