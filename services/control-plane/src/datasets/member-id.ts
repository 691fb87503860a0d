import { createHash } from 'node:crypto';

/** All ids that are made here are like this. A client's own may be too long for a document's id, or change when it is stored as UTF-8. */
const PLAIN = /^[\x20-\x7e]{1,200}$/;

/** Id of the document that puts a datapoint into a list: it says itself which one, so that a list is read from the index alone. */
export function memberId(listId: string, datapointId: string): string {
  if (PLAIN.test(datapointId)) return `${listId}:=${datapointId}`;
  return `${listId}:${createHash('sha256').update(datapointId).digest('base64url')}`;
}

/** The datapoint that the id says; undefined when that is in the document only. */
export function datapointIn(memberId: string): string | undefined {
  const end = memberId.indexOf(':');
  return memberId.charAt(end + 1) === '=' ? memberId.slice(end + 2) : undefined;
}
