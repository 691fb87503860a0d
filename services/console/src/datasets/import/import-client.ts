import { WorkerClient } from '../../worker/client.js';
import type { ImportFunctions } from './import-functions.js';
import url from './import.worker.ts?worker&url';

type Functions = {
  readonly [Name in 'inspect' | 'begin' | 'batch']: ImportFunctions[Name];
};

/** Reads files of datapoints in a worker of its own, which ends when a person cancels. */
export const imports = new WorkerClient<Functions>(url);
