import type { JsonObject, JsonValue } from '../../json.js';
import type { Event } from '../event.js';
import { distinctValues } from './log-content.js';

/** Keys of the metadata, and of a severity, that hold the severity of log records. */
const NUMBER = 'severity_number';
const TEXT = 'severity_text';

/** What of the severities of log records an event shows, and the others. */
export interface ShownSeverity {
  readonly event: Event;
  readonly isShown: boolean;
  readonly hidden: readonly JsonValue[];
}

/** Returns the event with the most severe of the severities in its metadata, unless it states one itself. */
export function withSeverity(event: Event, severities: readonly JsonValue[]): ShownSeverity {
  const [first, ...hidden] = mostSevereFirst(severities);
  const { metadata } = event;
  if (first === undefined || Object.hasOwn(metadata, NUMBER) || Object.hasOwn(metadata, TEXT))
    return { event, isShown: false, hidden: severities };
  return { event: { ...event, metadata: { ...metadata, ...(first as JsonObject) } }, isShown: true, hidden };
}

/** Returns the event without the severity that it shows, and that severity. */
export function withoutSeverity(event: Event): { readonly event: Event; readonly severity: JsonObject } {
  const { [NUMBER]: number, [TEXT]: text, ...metadata } = event.metadata;
  const severity = {
    ...(number !== undefined && { [NUMBER]: number }),
    ...(text !== undefined && { [TEXT]: text }),
  };
  return { event: { ...event, metadata }, severity };
}

/** Equal numbers are in the order of their texts, so that the order of arrival does not matter. */
function mostSevereFirst(severities: readonly JsonValue[]): JsonValue[] {
  return distinctValues(severities).sort((a, b) => numberOf(b) - numberOf(a));
}

function numberOf(severity: JsonValue): number {
  const number = (severity as JsonObject | null)?.[NUMBER];
  return typeof number === 'number' ? number : 0;
}
