import type { JsonValue } from '@assay/domain';

/** Understands a value or gives undefined; then the attribute stays in the metadata as it was sent. Never throws. */
export type Reader = (value: JsonValue) => JsonValue | undefined;

/** Objects that an event is made of. `fact` holds what decides other fields and is not stored itself. */
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
 * Where a value goes: one key of a bucket (`config.model`), all keys of an object into a bucket (`config.*`), or `event`, an
 * object whose keys are targets themselves.
 */
export type Target = `${SlotBucket}.${string}` | 'event';

export interface Destination {
  readonly to: Target;
  /** Absent: the value as it is. */
  readonly read?: Reader;
  /** Precedence within the target, smaller wins; absent: the place of the convention, then the place in its table. */
  readonly order?: number;
}

/** What one attribute, or one family of attributes, means. */
export interface AttributeRule extends Destination {
  /** The attribute's key; `a.*` stands for every key that begins with `a.`. */
  readonly key: string;
  /** For `a.*`: `tree` rebuilds the flattened value, `flat` keeps the rest of each key as a key. Default `tree`. */
  readonly group?: 'tree' | 'flat';
  /** Further meanings of the same attribute. */
  readonly also?: readonly Destination[];
  /** The attribute is also kept in the metadata under its own key. */
  readonly keep?: boolean;
  /** One line for the documentation. */
  readonly about: string;
}

/** One convention of naming attributes. */
export interface Convention {
  readonly name: string;
  readonly title: string;
  /** Precedence among conventions, smaller wins. */
  readonly place: number;
  /** Keys, or families `a.*`, of which one shows that a span follows the convention. */
  readonly signs: readonly string[];
  /** Beginnings of span names that show the same. */
  readonly spanNames?: readonly string[];
  /** The rules hold on every span: their keys mean nothing else. Otherwise they hold where a sign was seen. */
  readonly always: boolean;
  readonly rules: readonly AttributeRule[];
}

/** The order of a value that only counts where no convention has a better one. */
export const LAST_RESORT = 90_000;
