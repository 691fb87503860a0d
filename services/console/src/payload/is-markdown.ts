/**
 * Marks that plain text rarely has: headings, lists, quotes, fences, tables, emphasis, code and links. A text without any of them is
 * drawn as it is, and the reader of Markdown is not loaded.
 */
const MARKS =
  /^ {0,3}(?:#{1,6} |[-*+] |\d{1,9}[.)] |> |```|~~~|\|.*\|)|\*\*\S|__\S|~~\S|`[^`\n]+`|\]\([^\s)]/m;
/** What is looked at; a text that begins without any mark for so long is plain. */
const LOOKED_AT = 8_192;

/** Whether a text is worth being read as Markdown. */
export const isMarkdown = (text: string): boolean => MARKS.test(text.slice(0, LOOKED_AT));
