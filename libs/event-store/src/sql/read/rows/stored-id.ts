const CANONICAL_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The only ids that rows are stored under. */
export function isStoredId(id: string): boolean {
  return CANONICAL_UUID.test(id);
}
