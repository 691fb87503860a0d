import { AppError } from '@assay/errors';

/** Codes with which the receiver rejects data for good: the same request would be rejected again. */
const VERDICTS: readonly string[] = ['PAYLOAD_TOO_LARGE', 'VALIDATION_ERROR'];

/**
 * Sends items. When they are rejected because of their data, halves them until the items that are individually
 * rejected are isolated.
 * @returns the rejected items with the code of each; all others are sent
 * @throws every other error of `send`
 */
export async function sendAccepted<T>(
  items: readonly T[],
  send: (items: readonly T[]) => Promise<void>,
): Promise<readonly (readonly [item: T, code: string])[]> {
  const [first] = items;
  if (first === undefined) return [];
  try {
    await send(items);
    return [];
  } catch (error) {
    if (!(error instanceof AppError) || !VERDICTS.includes(error.code)) throw error;
    if (items.length === 1) return [[first, error.code]];
  }
  const middle = items.length >> 1;
  const rejected = await sendAccepted(items.slice(0, middle), send);
  return [...rejected, ...(await sendAccepted(items.slice(middle), send))];
}
