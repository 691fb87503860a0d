import type { ProjectRetention } from '@assay/control-plane-client';
import { cutoffsOf, type Cutoffs, type EventType } from '@assay/domain';

/** One pass over the events of a project whose types are kept for the same time. */
export interface ExpiryScan {
  /** The same for each pass over the same events with the same retention. */
  readonly key: string;
  readonly projectId: string;
  readonly keepReferenced: boolean;
  /** Whether events go although the project keeps them. */
  readonly removesKept?: boolean;
  readonly cutoffs: Cutoffs;
  /** Events that start before it are expired, Unix milliseconds. */
  readonly cutoff: number;
  /** Where the pass starts, Unix milliseconds; absent: it is over everything. */
  readonly from?: number;
  /** Cutoff of the pass before; absent: there was none. */
  readonly before?: number;
}

interface PassRecord {
  readonly cutoff: number;
  /** End of the last pass over everything, by a clock that is never set, and how long it took, in milliseconds. */
  readonly wholeAt: number;
  readonly wholeMs: number;
}

/** Time between two passes over everything, relative to the time that one takes. */
const REST = 19;

/**
 * Decides how far each pass looks back. An event that is stored late, or that an update makes expired, may start at any time before the
 * cutoff, so that a pass is over everything unless the last such pass took long and has just ended. A restart may forget all of it.
 */
export class ExpiryScans {
  private records = new Map<string, PassRecord>();

  /** @param elapsed reads a clock that is never set, in milliseconds */
  constructor(private readonly elapsed: () => number = () => performance.now()) {}

  /** Returns the passes to make, and forgets those that are not among them. */
  of(projects: readonly ProjectRetention[], now: number): readonly ExpiryScan[] {
    const scans = projects.flatMap((project) => scansOf(project, now));
    const kept = new Map<string, PassRecord>();
    const due = scans.map((scan) => {
      const record = this.records.get(scan.key);
      if (record === undefined) return scan;
      kept.set(scan.key, record);
      const isWhole = this.elapsed() - record.wholeAt >= record.wholeMs * REST;
      return { ...scan, before: record.cutoff, ...(!isWhole && { from: record.cutoff }) };
    });
    this.records = kept;
    return due;
  }

  /** Records that a pass was completed. */
  completed({ key, cutoff, from }: ExpiryScan, tookMs: number): void {
    const before = this.records.get(key);
    const isWhole = from === undefined || before === undefined;
    const whole = isWhole ? { wholeAt: this.elapsed(), wholeMs: tookMs } : before;
    this.records.set(key, { wholeAt: whole.wholeAt, wholeMs: whole.wholeMs, cutoff });
  }
}

function scansOf({ projectId, retention, keepReferenced }: ProjectRetention, now: number): ExpiryScan[] {
  const byCutoff = new Map<number, EventType[]>();
  for (const [type, cutoff] of Object.entries(cutoffsOf(retention, now)) as [EventType, number][])
    byCutoff.set(cutoff, [...(byCutoff.get(cutoff) ?? []), type]);
  return [...byCutoff].map(([cutoff, types]) => ({
    key: `${projectId}/${types.join()}/${now - cutoff}`,
    ...{ projectId, keepReferenced, cutoff },
    cutoffs: Object.fromEntries(types.map((type) => [type, cutoff])),
  }));
}
