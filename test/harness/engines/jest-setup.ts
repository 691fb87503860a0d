import { keepRunning } from './running-engines.js';
import { startEngines } from './start-engines.js';

/** Before all tests on engines: starts those that the environment does not name. */
async function startBeforeTests(): Promise<void> {
  keepRunning(await startEngines());
}

export = startBeforeTests;
