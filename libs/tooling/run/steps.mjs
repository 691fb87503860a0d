// What a task says while it works: one line for each step with its seconds, and one sentence when it cannot continue.
import { Refusal } from './platform.mjs';

/** Writes `title`, runs `work`, and ends the line with the seconds that it took. */
export async function step(title, work) {
  const startedAt = performance.now();
  process.stderr.write(`${title} … `);
  try {
    const result = await work();
    process.stderr.write(`${((performance.now() - startedAt) / 1_000).toFixed(1)} s\n`);
    return result;
  } catch (error) {
    process.stderr.write('failed\n');
    throw error;
  }
}

/** Runs `work`; ends the process with the sentence and the exit code of a Refusal, or with that of the system, such as a full disk. */
export async function orRefuse(work) {
  try {
    return await work();
  } catch (error) {
    const isOfSystem = typeof error.syscall === 'string';
    if (!(error instanceof Refusal) && !isOfSystem) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(error.exitCode ?? 1);
  }
}
