import { stopRunning } from './running-engines.js';

/** After all tests on engines: ends those that were started for them. */
async function stopAfterTests(): Promise<void> {
  await stopRunning();
}

export = stopAfterTests;
