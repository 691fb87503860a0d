import { createHash } from 'node:crypto';
import type { Event } from '../events/event.js';

/** Sources whose events are always evaluated. */
const UNSAMPLED_SOURCES: readonly string[] = ['evaluation', 'playground'];
const HASH_BITS = 48;

/**
 * Returns whether an event is in the sample of a metric. It follows from the two ids, so that every process and every
 * redelivery decides alike, and a higher percentage only adds events.
 * @param percentage 0 to 100
 */
export function isSampled(metricId: string, eventId: string, percentage: number): boolean {
  if (percentage >= 100) return true;
  if (percentage <= 0) return false;
  const hash = createHash('sha256').update(`${metricId}/${eventId}`).digest();
  return (hash.readUIntBE(0, HASH_BITS / 8) / 2 ** HASH_BITS) * 100 < percentage;
}

/** Returns whether an event is evaluated whatever the sample is: one of an experiment or of the playground. */
export function isAlwaysEvaluated({ source, metadata }: Pick<Event, 'source' | 'metadata'>): boolean {
  return UNSAMPLED_SOURCES.includes(source) || (metadata['run_id'] ?? '') !== '';
}
