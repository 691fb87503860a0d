import { AsyncLocalStorage } from 'node:async_hooks';
import { RECORD_HEADERS } from '@assay/contracts';
import type { ActiveLimits, Caller } from '@assay/domain';
import { AppError } from '@assay/errors';
import type { LogRecord } from '@assay/event-log';
import type { Metrics } from '@assay/runtime';
import { LRUCache } from 'lru-cache';
import { Meter, type Clocks, type IngestCost } from './meter.js';

type Sender = Pick<Caller, 'projectId' | 'keyId' | 'projectLimits' | 'keyLimits'>;
type Owner = 'project' | 'key';

interface OwnedMeter {
  readonly of: Owner;
  readonly meter: Meter;
}

/** Meters of projects and keys with limits; one that is dropped begins again. */
const MAX_METERS = 50_000;
/** The least that a request adds. */
const LEAST: IngestCost = { events: 1, bytes: 1 };

/** Refuses requests of projects and keys beyond their limits, whole and before anything of them is appended. */
export class IngestLimiter {
  readonly #meters = new LRUCache<string, Meter>({ max: MAX_METERS });
  /** The meters of the request; none for senders without limits, which therefore cost nothing. */
  readonly #senders = new AsyncLocalStorage<readonly OwnedMeter[]>();
  readonly #countLimited: (of: Owner, limit: string) => void;

  constructor(
    metrics: Metrics,
    private readonly clocks: Clocks,
  ) {
    const help = 'Requests refused by a limit of their project or key';
    const limited = metrics.counter('assay_ingest_limited_total', help, ['of', 'limit']);
    this.#countLimited = (of, limit) => limited.inc({ of, limit });
  }

  /**
   * Runs the work of a request, whose records {@link count} then counts for its sender.
   * @throws AppError `RATE_LIMITED` when its sender may send nothing now
   */
  run<T>(sender: Sender, work: () => T): T {
    if (sender.projectLimits === undefined && sender.keyLimits === undefined) return work();
    const meters = this.#metersOf(sender);
    this.#assertWithin(meters, LEAST);
    return this.#senders.run(meters, work);
  }

  /**
   * Counts records that are about to be appended. Returns a function that takes the count back; undefined without limits.
   * @throws AppError `RATE_LIMITED`
   */
  count(records: readonly LogRecord[]): (() => void) | undefined {
    const meters = this.#senders.getStore();
    if (meters === undefined) return undefined;
    const cost = costOf(records);
    this.#assertWithin(meters, cost);
    for (const { meter } of meters) meter.take(cost);
    return () => {
      for (const { meter } of meters) meter.release(cost);
    };
  }

  /** Returns what was counted for the project and the key of a caller, as far as they have limits. */
  usageOf(sender: Sender) {
    const of = (owner: Owner) => {
      const meter = this.#metersOf(sender).find((one) => one.of === owner)?.meter;
      return meter && { bytes_today: meter.bytesToday, refused_requests: meter.refused };
    };
    return { project: of('project'), key: of('key') };
  }

  #metersOf({ projectId, keyId, projectLimits, keyLimits }: Sender): readonly OwnedMeter[] {
    const of = (owner: Owner, id: string, limits: ActiveLimits | undefined) =>
      limits === undefined ? [] : [{ of: owner, meter: this.#meter(`${owner}/${id}`, limits) }];
    return [...of('project', projectId, projectLimits), ...of('key', keyId, keyLimits)];
  }

  #meter(name: string, limits: ActiveLimits): Meter {
    const meter = this.#meters.get(name) ?? new Meter(this.clocks);
    this.#meters.set(name, meter);
    meter.limits = limits;
    return meter;
  }

  #assertWithin(meters: readonly OwnedMeter[], cost: IngestCost): void {
    for (const { of, meter } of meters) {
      const refusal = meter.refusalOf(cost);
      if (refusal === undefined) continue;
      const { limit, retryAfterSeconds } = refusal;
      meter.refused++;
      this.#countLimited(of, limit);
      throw new AppError(
        'RATE_LIMITED',
        `limits.${limit} of the ${of} is reached, send the request again later`,
        {
          details: { retryAfterSeconds },
        },
      );
    }
  }
}

/** Events and updates count one each, all records but deletes by their bytes. */
function costOf(records: readonly LogRecord[]): IngestCost {
  let [events, bytes] = [0, 0];
  for (const { value, headers } of records) {
    const kind = headers[RECORD_HEADERS.kind];
    if (kind === 'event' || kind === 'patch') events++;
    if (kind !== 'delete') bytes += value.length;
  }
  return { events, bytes };
}
