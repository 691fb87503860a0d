import { WorkerClient } from '../worker/client.js';
import type { PayloadFunctions } from './payload-functions.js';
import url from './payload.worker.ts?worker&url';

type Functions = { readonly [Name in keyof PayloadFunctions]: PayloadFunctions[Name] };

/** Reads payloads in a worker, so that their size never blocks the page. */
export const payloads = new WorkerClient<Functions>(url);
