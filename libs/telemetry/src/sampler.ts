import type { TRACE_SAMPLERS } from '@assay/runtime';
import type { TraceParent } from './trace-parent.js';

export type SamplerName = (typeof TRACE_SAMPLERS)[number];

export interface SamplerOptions {
  readonly name: SamplerName;
  /** Share of the traces that are sampled, 0 to 1, where the name says `traceidratio`. */
  readonly ratio: number;
  /** Milliseconds of a steady clock. */
  readonly now: () => number;
}

/** Decides whether a request is recorded. */
export type Sample = (parent: TraceParent | undefined) => boolean;

/** Requests a second that are recorded because their senders ask for it. Beyond them the ratio decides, so that senders do not decide what tracing costs. */
export const MAX_ASKED_PER_SECOND = 50;

/** Digits at the end of a trace id that are random. Source: W3C Trace Context Level 2, "random trace-id flag". */
const RANDOM_DIGITS = 14;
const RANDOM_RANGE = 16 ** RANDOM_DIGITS;

/** Returns the sampler of this name. It allocates nothing. */
export function makeSampler({ name, ratio, now }: SamplerOptions): Sample {
  const share = shareOf(name, ratio);
  const isWithinShare = (parent: TraceParent | undefined) =>
    (parent === undefined ? Math.random() : randomOf(parent)) >= 1 - share;
  if (!name.startsWith('parentbased_')) return isWithinShare;
  const mayAsk = makeRateLimit(now);
  return (parent) => {
    if (parent === undefined) return isWithinShare(undefined);
    return parent.isSampled && (mayAsk() || isWithinShare(parent));
  };
}

function shareOf(name: SamplerName, ratio: number): number {
  if (name.endsWith('traceidratio')) return ratio;
  return name.endsWith('always_on') ? 1 : 0;
}

/** Every process decides alike about a trace. */
function randomOf({ traceId }: TraceParent): number {
  return parseInt(traceId.slice(-RANDOM_DIGITS), 16) / RANDOM_RANGE;
}

function makeRateLimit(now: () => number): () => boolean {
  const current = { startedAt: -Infinity, count: 0 };
  return () => {
    const at = now();
    if (at - current.startedAt >= 1_000) Object.assign(current, { startedAt: at, count: 0 });
    current.count += 1;
    return current.count <= MAX_ASKED_PER_SECOND;
  };
}
