import type { Agent } from 'node:http';
import { internalApi } from '@assay/contracts';
import { unavailable } from '@assay/errors';
import { makeCallRoute } from './call-route.js';
import { defaultAgent } from './exchange.js';

export interface EvaluatorClientOptions {
  /** Address of the evaluator without a path, such as `http://evaluator:8090`. Nothing is sent anywhere else. */
  readonly url: string;
  /** Secret of the data plane at the evaluator. */
  readonly token: string;
  /** Longest duration of a call, in milliseconds. */
  readonly timeoutMs: number;
  /** Opens the connections; must suit the protocol of `url`. */
  readonly agent?: Agent | undefined;
}

/** Calls that the data plane makes on its own behalf; those of clients go through the proxy. */
export interface EvaluatorClient {
  /** @throws AppError `UNAVAILABLE` with a message for operators */
  status(): Promise<internalApi.EvaluatorStatus>;
  /** Closes idle connections. */
  close(): void;
}

/** The status is far below it. */
const MAX_RESPONSE_BYTES = 1024 * 1024;

/** Calls a separate evaluator over HTTP. */
export function createEvaluatorClient({ agent, ...given }: EvaluatorClientOptions): EvaluatorClient {
  const connections = agent ?? defaultAgent(given.url);
  const call = makeCallRoute(internalApi.getEvaluatorStatus, {
    ...given,
    url: given.url.replace(/\/$/, ''),
    agent: connections,
    peer: 'evaluator',
    maxResponseBytes: MAX_RESPONSE_BYTES,
  });
  return {
    status: async () => {
      const outcome = await call();
      if (outcome.refusal === undefined) return outcome.body;
      throw unavailable(`the evaluator responded with status ${outcome.refusal.status}`);
    },
    close: () => connections.destroy(),
  };
}
