import type { TSchema } from '@assay/contracts';

/** The declared fields that were sent: a name that the schema does not know may be a value of the client's. */
export function sentFields(schema: TSchema | undefined, body: unknown): string[] {
  if (typeof body !== 'object' || body === null) return [];
  const declared = (schema?.properties ?? {}) as object;
  return Object.keys(body).filter((name) => Object.hasOwn(declared, name));
}
