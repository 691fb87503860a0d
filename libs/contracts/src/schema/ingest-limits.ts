import { Type, type Static } from '@sinclair/typebox';
import {
  INGEST_LIMITS,
  MAX_INGEST_LIMITS,
  type ActiveLimits,
  type IngestLimit,
  type IngestLimits,
} from '@assay/domain';

const DESCRIPTIONS: Readonly<Record<IngestLimit, string>> = {
  events_per_second: 'Events and updates that are accepted in a second on average',
  bytes_per_day: 'Bytes that are accepted in a day (UTC), as they are encoded for the log',
};
const EXAMPLES: Readonly<Record<IngestLimit, number>> = {
  events_per_second: 100,
  bytes_per_day: 10_737_418_240,
};

const limit = (name: IngestLimit) => ({
  minimum: 1,
  maximum: MAX_INGEST_LIMITS[name],
  examples: [EXAMPLES[name]],
});

/** @param absent what holds for a limit that is not named */
export const ingestLimits = (of: string, absent: string) =>
  Type.Unsafe<IngestLimits>({
    type: 'object',
    description: `How much the ${of} may send before it gets 429. ${absent}`,
    properties: Object.fromEntries(
      INGEST_LIMITS.map((name) => [
        name,
        { type: ['integer', 'null'], ...limit(name), description: `${DESCRIPTIONS[name]}; null: no limit.` },
      ]),
    ),
    additionalProperties: false,
    examples: [EXAMPLES],
  });

/** The limits that hold, between services. */
export const activeIngestLimits = (of: string) =>
  Type.Unsafe<ActiveLimits>({
    type: 'object',
    description: `How much the ${of} may send; absent: no limit.`,
    properties: Object.fromEntries(
      INGEST_LIMITS.map((name) => [
        name,
        { type: 'integer', ...limit(name), description: `${DESCRIPTIONS[name]}.` },
      ]),
    ),
    examples: [EXAMPLES],
  });

const amountOrNull = (description: string, example: number) =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], minimum: 0, description, examples: [example] });

/** The limits of a project or a key, and what it has sent. */
export const ingestUsage = (of: string) =>
  Type.Object(
    {
      events_per_second: amountOrNull('Events accepted in a second on average; null: no limit.', 100),
      bytes_per_day: amountOrNull('Bytes accepted in a day (UTC); null: no limit.', 10_737_418_240),
      bytes_today: amountOrNull(
        'Bytes accepted today since the start of the process; null: not counted by this process, or no limit.',
        1_048_576,
      ),
      refused_requests: amountOrNull(
        'Requests refused by these limits since the start of the process; null: not counted by this process, or no limit.',
        0,
      ),
    },
    { description: `Limits of the ${of}.` },
  );
export type IngestUsage = Static<ReturnType<typeof ingestUsage>>;
