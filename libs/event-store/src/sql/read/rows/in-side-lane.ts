import type { ConcurrentRunner, QueryRunner } from '../../engine/engine.js';
import { isResultTooLarge } from '../../engine/engine-failure.js';

/**
 * Reads few rows in the side lane: a second thread costs half as much again of a short statement. That lane has less memory,
 * so what needs more is read again in the main lane.
 */
export async function inSideLane<Result>(
  runner: ConcurrentRunner,
  read: (lane: QueryRunner) => Promise<Result>,
): Promise<Result> {
  return (await unlessTooLarge(read(runner.side))) ?? read(runner);
}

/** What was read; undefined when it is too large. */
export async function unlessTooLarge<Result>(read: Promise<Result>): Promise<Result | undefined> {
  try {
    return await read;
  } catch (error) {
    if (isResultTooLarge(error)) return undefined;
    throw error;
  }
}
