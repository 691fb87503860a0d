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
