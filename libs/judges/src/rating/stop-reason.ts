/** Reasons of the APIs, and of servers that are compatible with them, for a reply that the model has completed. */
const COMPLETED: ReadonlySet<string> = new Set([
  'stop',
  'end_turn',
  'stop_sequence',
  'eos',
  'eos_token',
  'complete',
  'completed',
]);
const PRINTABLE = /^[a-z][a-z_]{0,49}$/;

/**
 * Returns why a reply ended before the model had completed it, in the words of the provider, such as `length`; undefined for
 * a completed reply, and when the provider does not say.
 */
export function interruptionOf(stopReason: string | undefined): string | undefined {
  const reason = stopReason?.toLowerCase() ?? '';
  if (reason === '' || COMPLETED.has(reason)) return undefined;
  return PRINTABLE.test(reason) ? reason : 'unknown';
}
