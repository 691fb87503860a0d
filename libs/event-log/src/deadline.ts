import { unavailable } from '@assay/errors';

/** Maximum time of an append, after which its outcome is unknown. OTLP clients give up after 10 s. */
export const APPEND_DEADLINE_MS = 8_000;

/** Waits for the work, at most `ms`. @throws AppError `UNAVAILABLE` with `message` after a timeout */
export async function withDeadline<T>(work: Promise<T>, ms: number, message: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unavailable(message)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
