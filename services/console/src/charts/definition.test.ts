import type { Chart } from '../api/charts.js';
import {
  bodyOf,
  definitionOf,
  draftQuery,
  NEW_DEFINITION,
  printDefinition,
  rangeBefore,
  readDefinition,
} from './definition.js';

const DEFINITION = readDefinition(
  { metric: 'metadata.cost', func: 'sum', group: 'config.model', bucket: 'day', f: ['event_type:is:model'] },
  NEW_DEFINITION,
);

it('is in the address, and read from it again', () => {
  const search = printDefinition(DEFINITION);
  expect(readDefinition(search, NEW_DEFINITION)).toEqual(DEFINITION);
  expect(readDefinition({}, DEFINITION)).toBe(DEFINITION);
  expect(readDefinition({ metric: 'duration', bucket: 'second' }, DEFINITION)).toEqual({
    ...{ metric: 'duration', func: '', group: '', bucket: 'auto', filters: [] },
  });
});

it('is that of a saved chart, whose filters are of any kind', () => {
  const chart = {
    ...{ metric: 'duration', func: null, groupBy: null, bucketing: 'hour' },
    query: [
      { field: 'metadata.a:b', operator: 'is', value: '50 %', type: 'string' },
      { field: 'metadata.n', operator: 'greater than', value: 5, type: 'number' },
      { field: 'event_name', operator: 'in', value: ['a', 'b'], type: 'string' },
      { field: 'feedback.rating', operator: 'exists' },
    ],
  } as unknown as Chart;
  const { filters, ...rest } = definitionOf(chart);
  expect(rest).toEqual({ metric: 'duration', func: '', group: '', bucket: 'hour' });
  expect(filters).toEqual([
    { field: 'metadata.a:b', operator: 'is', value: '50 %', type: 'string' },
    { field: 'metadata.n', operator: 'greater than', value: '5', type: 'number' },
    { field: 'event_name', operator: 'in', value: '["a","b"]', type: 'string' },
    { field: 'feedback.rating', operator: 'exists', value: '', type: 'string' },
  ]);
});

it('is sent without what is empty, and never with a broken filter', () => {
  const broken = { ...DEFINITION, func: '', group: ' ', filters: [...DEFINITION.filters, { broken: 'x' }] };
  expect(draftQuery(broken, { dateRange: '7d', timezone: 'UTC' })).toEqual({
    ...{ metric: 'metadata.cost', bucket: 'day', dateRange: '7d', timezone: 'UTC' },
    filters: [{ field: 'event_type', operator: 'is', value: 'model', type: 'string' }],
  });
  expect(bodyOf(' Cost ', broken)).toMatchObject({
    name: 'Cost',
    func: null,
    groupBy: null,
    bucketing: 'day',
  });
});

it('is compared with a period of the same length', () => {
  expect(rangeBefore({ from: '2026-11-08T00:00:00.000Z', to: '2026-11-15T00:00:00.000Z' })).toEqual({
    ...{ $gte: '2026-11-01T00:00:00.000Z', $lte: '2026-11-08T00:00:00.000Z' },
  });
});
