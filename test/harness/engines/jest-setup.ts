import { enginesOfSuites } from './engines-of-suites.js';
import { startEngines } from './start-engines.js';

/** Stops the engines that this test run has started. */
let stopEngines: (() => Promise<void>) | undefined;

/**
 * jest's global setup: starts the engines that the suites need and the environment does not name.
 * @param suites paths of the suites; absent: any, so that all engines start
 */
export async function startBeforeTests(suites?: readonly string[]): Promise<void> {
  stopEngines = await startEngines(suites && enginesOfSuites(suites));
}

/** jest's global teardown. */
export async function stopAfterTests(): Promise<void> {
  await stopEngines?.();
  stopEngines = undefined;
}
