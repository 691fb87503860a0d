const LINE_FEED = 0x0a;

/** Parses rows of the format `JSONEachRow`, one at a time: the text of a row is garbage before the next one is made. */
export function parseRows<Row>(bytes: Uint8Array): Row[] {
  const lines = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const rows: Row[] = [];
  // Inside of a row there is no line feed: JSON escapes those of its texts.
  for (let start = 0, end = 0; (end = lines.indexOf(LINE_FEED, start)) !== -1; start = end + 1)
    rows.push(JSON.parse(lines.toString('utf8', start, end)) as Row);
  return rows;
}
