import { Type, type Static } from '@sinclair/typebox';
import { BUCKET_WIDTHS, CHART_FUNCTIONS, type Bucketing } from '@assay/domain';
import { success, text, textOrNull } from '../../schema/fields.js';
import { choice } from '../../schema/fields.js';
import {
  createdAt,
  limitedTextOrNull,
  projectId,
  resourceId,
  resourceName,
  storedWarnings,
  updatedAt,
} from '../../schema/resource-fields.js';
import { strictFilter } from '../events/filter.js';
import { rangeResponse, rangeRequest } from './chart-range.js';

export const BUCKETINGS: readonly Bucketing[] = ['auto', ...BUCKET_WIDTHS];
const MAX_FILTERS = 50;

export const chartId = () => resourceId('Id of the chart.');
export const chartPath = Type.Object({ chart_id: chartId() });
export const projectChartsPath = Type.Object({ project_id: projectId() });
export const projectChartPath = Type.Object({ project_id: projectId(), chart_id: chartId() });

export const chartName = () => resourceName('Name of the chart.', 'Latency of answers');
export const chartMetric = () =>
  text('Charted value: an event field or a metric name.', 'duration', {
    minLength: 1,
    maxLength: 1000,
  });

const description = () => textOrNull('Description of the chart.', 'Median per day');
const aggregation = () =>
  limitedTextOrNull(`Aggregation function: ${CHART_FUNCTIONS.join(', ')}.`, 'median', { maxLength: 100 });
const grouping = () => limitedTextOrNull('Field to group by.', 'event_name', { maxLength: 1000 });
const bucketing = () => choice<Bucketing>(BUCKETINGS, 'Bucket width.', 'day');
const owner = () => limitedTextOrNull('Id of the owner of the chart.', 'u-1', { maxLength: 200 });

const filters = {
  description: 'Events to chart; all filters must match.',
  examples: [[{ field: 'event_type', value: 'model', type: 'string', operator: 'is' }]],
  maxItems: MAX_FILTERS,
};

export const optionalChartProperties = {
  description: Type.Optional(description()),
  func: Type.Optional(aggregation()),
  groupBy: Type.Optional(grouping()),
  bucketing: Type.Optional(bucketing()),
  dateRange: Type.Optional(rangeRequest()),
  query: Type.Optional(Type.Array(strictFilter, filters)),
  owner_id: Type.Optional(owner()),
};

export const chartResponse = Type.Object(
  {
    id: chartId(),
    name: chartName(),
    description: description(),
    metric: chartMetric(),
    func: aggregation(),
    groupBy: grouping(),
    bucketing: bucketing(),
    dateRange: rangeResponse(),
    query: Type.Unsafe<Static<typeof strictFilter>[] | null>({
      ...Type.Array(strictFilter, filters),
      type: ['array', 'null'],
    }),
    owner_id: owner(),
    is_active: Type.Boolean({
      description: 'Always true: deleted charts are not returned.',
      examples: [true],
    }),
    created_at: createdAt(),
    updated_at: updatedAt(),
    warnings: storedWarnings(),
  },
  { $id: 'Chart', description: 'A chart of events over time.' },
);
export type ChartResponse = Static<typeof chartResponse>;

export const chartEnvelope = Type.Object({ success: success(), data: chartResponse });
