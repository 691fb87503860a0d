import { validationError } from '@assay/errors';

/** Returns the time of an ISO 8601 text in its canonical form. @throws AppError `VALIDATION_ERROR` if it is not in the future */
export function futureTime(text: string, field: string, now: Date): string {
  const time = new Date(text);
  if (!(time.getTime() > now.getTime())) throw validationError(`${field} must be a time in the future`);
  return time.toISOString();
}
