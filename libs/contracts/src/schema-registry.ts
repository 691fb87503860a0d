import type { TSchema } from '@sinclair/typebox';
import { isJsonObject, type JsonObject, type JsonValue } from '@assay/domain';

/**
 * Named schemas of a document. Each one appears once, under `components/schemas`, and is referenced
 * elsewhere.
 */
export class SchemaRegistry {
  readonly #named = new Map<string, JsonObject>();

  /** Returns a schema as plain JSON. */
  static plain(schema: TSchema): JsonObject {
    const copy: unknown = JSON.parse(JSON.stringify(schema));
    return isJsonObject(copy) ? copy : {};
  }

  /** Returns a reference to a named schema, or the schema itself if it has no name. */
  reference(schema: TSchema): JsonObject {
    return this.#referenceObject(SchemaRegistry.plain(schema));
  }

  schemas(): JsonObject {
    return Object.fromEntries([...this.#named].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #referenceObject({ $id, unknownFieldHints: _hints, ...rest }: JsonObject): JsonObject {
    const resolved = Object.fromEntries(
      Object.entries(rest).map(([keyword, value]) => [keyword, this.#referenceKeyword(keyword, value)]),
    );
    if (typeof $id !== 'string') return resolved;
    this.#named.set($id, resolved);
    return { $ref: `#/components/schemas/${$id}` };
  }

  #referenceKeyword(keyword: string, value: JsonValue): JsonValue {
    if (keyword === 'items' && isJsonObject(value)) return this.#referenceObject(value);
    if (keyword !== 'properties' || !isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        name,
        isJsonObject(inner) ? this.#referenceObject(inner) : inner,
      ]),
    );
  }
}
