/** What a part of the screen has read; undefined before the first answer. */
export interface Reading<T> {
  readonly read: T | undefined;
  readonly error: Error | null;
  readonly onRetry: () => void;
}
