import type { Agent } from 'node:http';
import { inspectClock, type Finding } from '@assay/runtime';
import { defaultAgent, exchange } from './exchange.js';

export interface ControlPlaneAddress {
  readonly url: string;
  /** For connections with other authorities or a client certificate. */
  readonly agent?: Agent;
  readonly timeoutMs: number;
}

const MAX_BYTES = 64 * 1024;

/**
 * Compares the clock of the control plane, or of the proxy in front of it, with that of this process, from the header `Date`, which
 * has a precision of one second. Rejects when the control plane cannot be reached.
 */
export async function inspectControlPlane({
  url,
  agent,
  timeoutMs,
}: ControlPlaneAddress): Promise<Finding[]> {
  const { date } = await exchange({
    url: `${url.replace(/\/+$/, '')}/healthz`,
    method: 'GET',
    headers: {},
    body: undefined,
    agent: agent ?? defaultAgent(url),
    signal: AbortSignal.timeout(timeoutMs),
    maxResponseBytes: MAX_BYTES,
  });
  if (date === undefined)
    return [{ name: 'control plane clock', ok: true, detail: 'not stated, not checked' }];
  return [inspectClock('control plane', Date.parse(date), Date.now())];
}
