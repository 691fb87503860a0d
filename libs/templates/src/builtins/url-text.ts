import type { Budget } from '../limits.js';

/** Returns text with everything but letters, digits, `_.-~` and the safe characters as percent-encoded UTF-8. */
export function percentEncode(text: string, safe: string, budget: Budget): string {
  budget.text(text.length * 3);
  budget.characters(text.length);
  const encoded = encodeURIComponent(wellFormed(text)).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return safe.includes('/') ? encoded.replaceAll('%2F', '/') : encoded;
}

/** Replaces surrogates without a partner, which have no UTF-8. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}
