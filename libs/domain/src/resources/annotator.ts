/** Who reviews: letters, digits, `_` and `-`, so that it is no e-mail address and adds no level to a path. */
export const ANNOTATOR_PATTERN = '^[A-Za-z0-9_-]{1,64}$';

const MAX_LENGTH = 64;
const ANNOTATOR_KEY = /^(.+)@([A-Za-z0-9_-]{1,64})$/s;

/** A key of `feedback` that holds what one annotator said. */
export interface AnnotatorKey {
  /** Name of a metric, or id of a queue for the comment and the reason. */
  readonly name: string;
  readonly annotator: string;
}

/** Returns the key of `feedback` for what an annotator says about a metric, such as `tone@anna`. */
export function annotatorKey(name: string, annotator: string): string {
  return `${name}@${annotator}`;
}

/** Returns the parts of a key of {@link annotatorKey}; undefined for any other key. */
export function readAnnotatorKey(key: string): AnnotatorKey | undefined {
  const [, name, annotator] = ANNOTATOR_KEY.exec(key) ?? [];
  return name === undefined || annotator === undefined ? undefined : { name, annotator };
}

/** Returns the annotator of a request that names none: the id of its key, with `_` for other characters. */
export function annotatorOfKey(keyId: string): string {
  return asAnnotator(keyId);
}

/** Returns the name of a person, such as an e-mail address, as the name of an annotator: with `_` for other characters. */
export function asAnnotator(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, MAX_LENGTH) || '_';
}
