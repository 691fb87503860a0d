const MAX_DELAY_MS = 86_400_000;

/** Returns the delay of a `Retry-After` header, in seconds or as a date (RFC 9110, 10.2.3); at most a day, undefined when it is neither. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}(?:\.\d{1,3})?$/.test(text)) return Math.min(MAX_DELAY_MS, Number(text) * 1_000);
  const date = /^[A-Z][a-z]{2}, /.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(date) ? undefined : Math.min(MAX_DELAY_MS, Math.max(0, date - now));
}
