import { decodeEventRow } from './decode-event-row.js';

const LABEL = Buffer.from('"session_id":"');
const UUID_LENGTH = 36;
const UUID = /^[0-9a-f-]{36}$/;

/**
 * Id of the session of a row made by `encodeEventRow`, without parsing the whole line: the ids stand at its front, and no text inside the line can look
 * like the label, because quotes within texts are escaped.
 */
export function sessionOfRow(line: Buffer): string {
  const start = line.indexOf(LABEL) + LABEL.length;
  const id = line.toString('latin1', start, start + UUID_LENGTH);
  return UUID.test(id) ? id : decodeEventRow(line).session_id;
}
