import type { JsonValue } from '@assay/domain';

/**
 * Converts a value, or returns undefined; then the attribute is stored unchanged in the metadata. Must not
 * throw.
 */
export type Reader = (value: JsonValue) => JsonValue | undefined;

/** Parts of an event. `fact` holds values that determine other fields and are not stored. */
export const SLOT_BUCKETS = [
  'inputs',
  'outputs',
  'config',
  'metadata',
  'metrics',
  'feedback',
  'user_properties',
  'usage',
  'usage_details',
  'cost_details',
  'fact',
] as const;
export type SlotBucket = (typeof SLOT_BUCKETS)[number];

/**
 * Destination of a value: one key of a bucket (`config.model`), all keys of an object into a bucket
 * (`config.*`), or `event`, an object whose keys are targets.
 */
export type Target = `${SlotBucket}.${string}` | 'event';

export interface Destination {
  readonly to: Target;
  /** Absent: the value is unchanged. */
  readonly read?: Reader;
  /** Precedence within the target, smaller wins; absent: order of the convention, then order in its table. */
  readonly order?: number;
}

/** Mapping of one attribute, or one family of attributes. */
export interface AttributeRule extends Destination {
  /** Attribute key; `a.*` matches every key with the prefix `a.`. */
  readonly key: string;
  /**
   * For `a.*`: `tree` unflattens the value, `list` does so for keys with an index and leaves others unmapped,
   * `flat` uses the rest of each key as a key. Default `tree`.
   */
  readonly group?: 'tree' | 'list' | 'flat';
  /** Further destinations of the same attribute. */
  readonly also?: readonly Destination[];
  /** The attribute is also stored in the metadata under its own key. */
  readonly keep?: boolean;
  /**
   * The reader uses parts of the value. The parts that the event does not contain are stored in the metadata
   * under the attribute's key.
   */
  readonly partial?: boolean;
  /** The value is JSON of messages among other things; of a text that was cut at a length limit, what is complete is read. */
  readonly cut?: boolean;
  /** One line for the generated documentation, where the names of the attribute and its destination do not say it. */
  readonly about?: string;
}

/** A semantic convention: mapping rules and the attributes that identify it. */
export interface Convention {
  readonly name: string;
  readonly title: string;
  /** Precedence among conventions, smaller wins. */
  readonly precedence: number;
  /** Keys, or families `a.*`; one of them on a span identifies the convention. */
  readonly detectors: readonly string[];
  /** Prefixes of span names that identify the convention. */
  readonly spanNames?: readonly string[];
  /**
   * The rules apply to every span, because their keys are unambiguous. Otherwise they apply only where the
   * convention was detected.
   */
  readonly always: boolean;
  readonly rules: readonly AttributeRule[];
}

/** Order of a value that is used only if no convention provides another. */
export const LAST_RESORT = 90_000;
