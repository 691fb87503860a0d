import type { Evaluation, Event } from '@assay/domain';
import type { EventKey } from '@assay/event-store';

/** Evaluations of one event whose decisions are durable. */
export interface NewWork extends EventKey {
  /** The merged event that was decided about, with the version of its state; absent when it has to be read. */
  readonly event?: Event & { readonly version: number };
  /** Partition of the log that the event's records are in. */
  readonly partition: number;
  /** `traceparent` of the sampled request that sent the event; absent for all others, and after a restart. */
  readonly trace?: string | undefined;
  /** All of them pending. */
  readonly evaluations: readonly Evaluation[];
}
