/** What can be limited of what is sent. */
export const INGEST_LIMITS = ['events_per_second', 'bytes_per_day'] as const;
export type IngestLimit = (typeof INGEST_LIMITS)[number];

/** Maximum of each limit. */
export const MAX_INGEST_LIMITS: Readonly<Record<IngestLimit, number>> = {
  events_per_second: 1_000_000,
  bytes_per_day: 2 ** 50,
};

/** How much a project or a key may send; null: without a limit, also where the installation has one. Integers from 1. */
export type IngestLimits = Readonly<Partial<Record<IngestLimit, number | null>>>;

/** The limits that hold; at least one. */
export type ActiveLimits = Readonly<Partial<Record<IngestLimit, number>>>;

/** Returns the limits that hold where these are set, in an installation with these defaults; undefined: none. */
export function activeLimits(
  own: IngestLimits = {},
  installation: ActiveLimits = {},
): ActiveLimits | undefined {
  const active: Partial<Record<IngestLimit, number>> = {};
  for (const name of INGEST_LIMITS) {
    const limit = own[name] === undefined ? installation[name] : own[name];
    if (limit !== undefined && limit !== null) active[name] = limit;
  }
  return Object.keys(active).length === 0 ? undefined : active;
}
