import { emptyEvent, newMetric, type DeployedMetric, type Event, type MetricInput } from '@assay/domain';

/** An enabled metric of type PYTHON that evaluates every event. */
export function metricOf(id: string, fields: Partial<MetricInput> = {}): DeployedMetric {
  const defaults = {
    type: 'PYTHON',
    criteria: 'result = 1',
    enabled_in_prod: true,
    sampling_percentage: 100,
  } as const;
  return { ...newMetric({ name: id, ...defaults, ...fields }), id, version: 'v1' };
}

/** A stored event of version 10. */
export function storedEvent(fields: Partial<Event> = {}): Event & { readonly version: number } {
  const ids = { project_id: 'p', event_id: '11111111-1111-4111-8111-111111111111', session_id: 's' };
  return {
    ...emptyEvent(),
    ...ids,
    event_type: 'model',
    event_name: 'answer',
    source: 'app',
    ...fields,
    version: 10,
  };
}
