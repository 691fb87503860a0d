const NAMES = ['ALERT_SMTP_URL', 'ALERT_MAIL_FROM', 'ALERT_MAIL_DOMAINS'];

/** Returns a sentence when some settings of e-mails are set and others are not. */
export function mailProblems(values: ReadonlyMap<string, unknown>): string[] {
  // One that could not be read has a sentence already.
  if (!NAMES.every((name) => values.has(name))) return [];
  const isSet = (value: unknown) => (Array.isArray(value) ? value.length > 0 : value !== undefined);
  const missing = NAMES.filter((name) => !isSet(values.get(name)));
  if (missing.length === 0 || missing.length === NAMES.length) return [];
  return [`${missing.join(' and ')} must be set together with the other settings of e-mails`];
}
