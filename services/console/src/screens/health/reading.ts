/** What a part of the screen has read; undefined before the first answer. */
export interface Reading<T> {
  readonly read: T | undefined;
  readonly error: Error | null;
  readonly onRetry: () => void;
}

/** What was read last; undefined while it is not known, so that what a failure hides never looks like nothing. */
export const known = <T>({ read, error }: Reading<T>): T | undefined => (error === null ? read : undefined);
