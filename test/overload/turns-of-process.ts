import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const file = join(mkdtempSync(join(tmpdir(), 'assay-turns-')), 'turns');

/** Settings of a process that records the CPU time of the long turns of its event loop. */
export const RECORDING = {
  NODE_OPTIONS: `--require=${join(__dirname, 'record-turns.cjs')}`,
  TURNS_FILE: file,
};

/** No turn of the event loop takes longer, for any request of at most 10 MB. */
export const MAX_TURN_MS = 250;

/** Returns the CPU milliseconds of the turns that took long, since the start or {@link forgetTurns}. */
export function recordedTurns(): number[] {
  try {
    return readFileSync(file, 'latin1').split('\n').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

export function forgetTurns(): void {
  writeFileSync(file, '');
}

/** Returns the CPU milliseconds of the longest turn during some work, 0 if none took long. */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  forgetTurns();
  await work();
  return Math.max(0, ...recordedTurns());
}
