import { Type } from '@sinclair/typebox';
import type { ChartRange, SentChartRange } from '@assay/domain';

const bound = (description: string) => ({
  type: ['string', 'number'],
  description,
  examples: ['2026-11-01T00:00:00.000Z'],
});
const relative = {
  type: 'string',
  description: 'A duration before now: a number and m, h, d, w, mo or y.',
  examples: ['7d'],
};
const bounds = {
  $gte: bound('First moment, ISO 8601 or Unix milliseconds.'),
  $lte: bound('Last moment, ISO 8601 or Unix milliseconds.'),
};

/** Relative range ending now, or two bounds, whose names some clients write without the `$`. */
export const rangeRequest = () =>
  Type.Unsafe<SentChartRange | null>({
    type: ['object', 'null'],
    description: 'Time range of the chart.',
    examples: [{ relative: '7d' }],
    additionalProperties: false,
    properties: { relative, ...bounds, gte: bounds.$gte, lte: bounds.$lte },
  });

export const rangeResponse = () =>
  Type.Unsafe<ChartRange | null>({
    type: ['object', 'null'],
    description: 'Time range of the chart; null: chosen by the viewer.',
    examples: [{ relative: '7d' }],
    additionalProperties: false,
    properties: { relative, ...bounds },
  });
