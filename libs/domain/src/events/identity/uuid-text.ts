const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Returns whether the text has the format 8-4-4-4-12 of a UUID, in any version and case. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Returns the canonical spelling of a UUID, in lower case. */
export function canonicalUuid(uuid: string): string {
  return uuid.toLowerCase();
}

/**
 * Returns the canonical spelling if the id is a UUID, so that it equals the stored id. Ids of parents and
 * children may be any text.
 */
export function canonicalId(id: string): string {
  return isUuid(id) ? canonicalUuid(id) : id;
}
