import type { TSchema } from '@sinclair/typebox';
import { isJsonObject, type JsonObject, type JsonValue } from '@assay/domain';

/** Collects the named schemas of a document: each stands once under `components/schemas` and is referred to. */
export class SchemaRegistry {
  readonly #named = new Map<string, JsonObject>();

  /** A schema as plain JSON, without what only the checks of this package read. */
  static plain(schema: TSchema): JsonObject {
    const copy: unknown = JSON.parse(JSON.stringify(schema));
    return isJsonObject(copy) ? copy : {};
  }

  /** The schema, or a reference to it when it has a name. */
  place(schema: TSchema): JsonObject {
    return this.#placeObject(SchemaRegistry.plain(schema));
  }

  schemas(): JsonObject {
    return Object.fromEntries([...this.#named].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #placeObject({ $id, unknownFieldHints: _hints, ...rest }: JsonObject): JsonObject {
    const placed = Object.fromEntries(
      Object.entries(rest).map(([keyword, value]) => [keyword, this.#placeKeyword(keyword, value)]),
    );
    if (typeof $id !== 'string') return placed;
    this.#named.set($id, placed);
    return { $ref: `#/components/schemas/${$id}` };
  }

  #placeKeyword(keyword: string, value: JsonValue): JsonValue {
    if (keyword === 'items' && isJsonObject(value)) return this.#placeObject(value);
    if (keyword !== 'properties' || !isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        name,
        isJsonObject(inner) ? this.#placeObject(inner) : inner,
      ]),
    );
  }
}
