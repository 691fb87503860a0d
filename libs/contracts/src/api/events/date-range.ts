import { Type } from '@sinclair/typebox';
import type { JsonObject, JsonValue } from '@assay/domain';

const bound = (description: string) => ({
  type: ['string', 'number', 'null'],
  description: `${description}: ISO 8601 text, or Unix milliseconds. A date means the whole day, in UTC unless a zone is stated.`,
  examples: ['2026-11-01T00:00:00.000Z'],
});

/**
 * Shape of a date range in a request; `@assay/domain` interprets the bounds. A string is the JSON of such an
 * object, or a relative range such as `7d`.
 */
export type WireDateRange = string | JsonObject;

export const dateRange = Type.Unsafe<WireDateRange>({
  type: ['object', 'string'],
  description:
    'Range of start times, both ends inclusive: an object with bounds, or a relative range such as "7d".',
  examples: [{ $gte: '2026-11-01T00:00:00.000Z', $lte: '2026-11-08T00:00:00.000Z' }] satisfies JsonValue[],
  additionalProperties: false,
  properties: {
    $gte: bound('First moment'),
    $lte: bound('Last moment'),
    gte: bound('First moment'),
    lte: bound('Last moment'),
    start_time: bound('First moment'),
    end_time: bound('Last moment'),
    start: bound('First moment'),
    end: bound('Last moment'),
    relative: {
      type: 'string',
      description: 'A duration before now: a number and m, h, d, w, mo or y.',
      examples: ['7d'],
    },
  },
});
