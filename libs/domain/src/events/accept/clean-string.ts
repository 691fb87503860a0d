const REPLACEMENT = '\ufffd';

/** The part of texts that the declarations of the runtime lack. */
interface Formed {
  readonly toWellFormed: () => string;
}

/**
 * Replaces U+0000 and unpaired surrogates with U+FFFD. The result of replacing an expression would be held in as many parts as are
 * replaced, which its first reader joins in one go.
 */
export function cleanString(text: string): string {
  const formed = (text as string & Formed).toWellFormed();
  return formed.includes('\0') ? formed.split('\0').join(REPLACEMENT) : formed;
}
