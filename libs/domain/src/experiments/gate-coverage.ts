import type { Coverage } from './coverage.js';

/** How many datapoints of the old run may lack a score in the new one. */
export interface MissingLimits {
  /** Without an error: above it the gate is undecided; 0 by default. */
  readonly maxMissing?: number;
  /** With an error: above it the gate fails; 0 by default. */
  readonly maxErrors?: number;
}

/** Returns why a metric cannot pass by what the new run lacks; undefined when it lacks no more than is accepted. */
export function lacks(
  { paired, only_old, missing, errors }: Coverage,
  { maxMissing = 0, maxErrors = 0 }: MissingLimits,
): { readonly outcome: 'fail' | 'undecided'; readonly reason: string } | undefined {
  if (errors <= maxErrors && missing <= maxMissing) return undefined;
  const total = paired + only_old;
  const parts = [
    ...(errors > 0 ? [`${errors} of ${total} datapoints ended with an error`] : []),
    ...(missing > 0 ? [`${missing} of ${total} datapoints lack a score`] : []),
  ];
  return { outcome: errors > maxErrors ? 'fail' : 'undecided', reason: parts.join(', ') };
}
