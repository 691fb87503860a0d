import { unsigned } from './fields.js';
import { SPAN_KINDS, STATUS_CODES, type SpanKind, type StatusCode } from '../../messages.js';

/**
 * Reads an enum from its number, the text of its number, or its name with or without prefix. An unknown value
 * maps to the first member.
 */
function readEnum<T extends string>(value: unknown, names: readonly T[], prefix: string): T {
  const fallback = names[0] as T;
  if (typeof value === 'number') return names[value] ?? fallback;
  if (typeof value !== 'string') return fallback;
  if (/^\d{1,3}$/.test(value)) return names[Number(value)] ?? fallback;
  const upper = value.toUpperCase();
  const name = upper.startsWith(prefix) ? upper.slice(prefix.length) : upper;
  return names.find((known) => known === name) ?? fallback;
}

export function readSpanKind(value: unknown): SpanKind {
  return readEnum(value, SPAN_KINDS, 'SPAN_KIND_');
}

export function readStatusCode(value: unknown): StatusCode {
  return readEnum(value, STATUS_CODES, 'STATUS_CODE_');
}

const SEVERITIES = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'];

/** Reads a severity from its number, the text of its number, or its name (`SEVERITY_NUMBER_ERROR2`); 0 is none. */
export function readSeverityNumber(value: unknown): number {
  const [, name = '', step = '1'] =
    typeof value === 'string' ? (/^(?:SEVERITY_NUMBER_)?([A-Z]+)([234]?)$/i.exec(value) ?? []) : [];
  const level = SEVERITIES.indexOf(name.toUpperCase());
  return level === -1 ? unsigned(value) : level * 4 + Number(step === '' ? 1 : step);
}
