import { createRequire } from 'node:module';
import type * as server from '@modelcontextprotocol/server';

export type Sdk = typeof server;

let loaded: Sdk | undefined;

/** Loads the SDK with the first request: it takes 20 MB of memory, which a process without agents does not need. */
export function loadSdk(): Sdk {
  return (loaded ??= createRequire(__filename)('@modelcontextprotocol/server') as Sdk);
}
