/** Maximum number of documents that are read or written together. */
export const BATCH_SIZE = 500;

/** Retries of concurrent updates. The data plane forwards again after `UNAVAILABLE`. */
export const FORWARD_RETRY = { maxAttempts: 20, code: 'UNAVAILABLE' } as const;

/** Returns the id of the documents about an event or a session. */
export function eventDocumentId(projectId: string, eventId: string): string {
  return `${projectId}:${eventId}`;
}
