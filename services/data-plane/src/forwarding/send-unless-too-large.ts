import { AppError } from '@assay/errors';

/**
 * Sends items. When they are rejected as too large, halves them until the items that are individually too
 * large are isolated.
 * @returns the items that are too large; all others are sent
 * @throws every other error of `send`
 */
export async function sendUnlessTooLarge<T>(
  items: readonly T[],
  send: (items: readonly T[]) => Promise<void>,
): Promise<readonly T[]> {
  if (items.length === 0) return [];
  try {
    await send(items);
    return [];
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'PAYLOAD_TOO_LARGE')) throw error;
    if (items.length === 1) return items;
  }
  const middle = items.length >> 1;
  const tooLarge = await sendUnlessTooLarge(items.slice(0, middle), send);
  return [...tooLarge, ...(await sendUnlessTooLarge(items.slice(middle), send))];
}
