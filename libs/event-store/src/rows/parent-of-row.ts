const LABEL = Buffer.from('"parent_id":"');
const UUID_LENGTH = 36;
const UUID = /^[0-9a-f-]{36}$/;

/**
 * Id of the parent of a row made by `encodeEventRow`, without parsing the whole line; undefined when it has none, or one that is no lower-case UUID.
 * The ids stand at the front, and no text inside the line can look like the label, because quotes within texts are escaped.
 */
export function parentOfRow(line: Buffer): string | undefined {
  const label = line.indexOf(LABEL);
  if (label < 0 || line.indexOf('"children_ids":[') < label) return undefined;
  const start = label + LABEL.length;
  const id = line.toString('latin1', start, start + UUID_LENGTH);
  return UUID.test(id) ? id : undefined;
}
