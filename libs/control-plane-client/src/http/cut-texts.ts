/** Where a request is cut, so that one that has to be sent again is not much. */
const CUT = { bytes: 4 * 1024 * 1024, items: 500 };

/** The items, as JSON texts, in groups that each make one request: in order, most groups below 4 MiB, none above 500 items. No items: no group. */
export function truncateTexts(texts: readonly string[]): string[][] {
  const groups: string[][] = [];
  let bytes = 0;
  for (const text of texts) {
    const length = Buffer.byteLength(text);
    bytes += length;
    const group = groups.at(-1);
    if (group && bytes <= CUT.bytes && group.length < CUT.items) group.push(text);
    else {
      groups.push([text]);
      bytes = length;
    }
  }
  return groups;
}
