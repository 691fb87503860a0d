import { WorkerClient } from '../worker/client.js';
import type { DiffFunctions } from './diff-functions.js';
import url from './diff.worker.ts?worker&url';

type Functions = { readonly [Name in keyof DiffFunctions]: DiffFunctions[Name] };

/** Compares payloads in a worker of its own, so that a slow comparison delays no other one's payload. */
export const diffs = new WorkerClient<Functions>(url);
