import { setTimeout as delay } from 'node:timers/promises';

export interface RoundsOptions {
  /** Does what is due. `signal` aborts when the rounds are stopped. */
  readonly round: (signal: AbortSignal) => Promise<void>;
  /** Time until the next round, in milliseconds; asked after each one. */
  readonly restMs: () => number;
  /** Called when a round fails before it is stopped; the next one repeats it. */
  readonly onFailure: (error: unknown) => void;
}

export interface Rounds {
  /** Resolves when the round in progress has ended. Idempotent. */
  stop(): Promise<void>;
}

/** Makes rounds, one after the other, from now on until they are stopped. */
export function runRounds({ round, restMs, onFailure }: RoundsOptions): Rounds {
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async () => {
    while (!signal.aborted) {
      await round(signal).catch((error: unknown) => {
        if (!signal.aborted) onFailure(error);
      });
      await pause(restMs(), signal);
    }
  };
  const running = run();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

/** Resolves after this time, in milliseconds, or when the signal aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}
