const REPLACEMENT = '\ufffd';
const UNSTORABLE = /\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Replaces U+0000 and unpaired surrogates with U+FFFD. */
export function cleanString(text: string): string {
  return text.replace(UNSTORABLE, REPLACEMENT);
}
