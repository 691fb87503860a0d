import { AppError, validationError } from '@assay/errors';

/** The name without white space around it. @throws AppError `VALIDATION_ERROR` when nothing is left */
export function trimmedName(name: string, field = 'name'): string {
  const trimmed = name.trim();
  if (trimmed === '') throw validationError(`${field} must not be blank`);
  return trimmed;
}

/** RunRepository a write in which the name may be taken. @throws AppError `CONFLICT` that says so in words of the API */
export async function withFreeName<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (cause) {
    if (!(cause instanceof AppError) || cause.code !== 'CONFLICT') throw cause;
    throw new AppError('CONFLICT', 'another project has this name', { cause });
  }
}
