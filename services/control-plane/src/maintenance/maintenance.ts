/** Periodic background work, one round at a time. */
export interface Maintenance {
  /** Starts a round now, or after the current one. No effect before `start` and after `stop`. */
  wake(): void;
  /** Runs a round now and one in each interval, until `stop`. */
  start(): void;
  /** Resolves when the current round has stopped at its next step. Idempotent. */
  stop(): Promise<void>;
}

export interface MaintenanceOptions {
  /** One round. It checks `isStopping` between its steps. */
  readonly round: (isStopping: () => boolean) => Promise<void>;
  readonly everyMs: number;
  /** Called for a failed round. Later rounds still run. */
  readonly onFailure: (error: unknown) => void;
}

export function makeMaintenance({ round, everyMs, onFailure }: MaintenanceOptions): Maintenance {
  let timer: NodeJS.Timeout | undefined;
  let current: Promise<void> | undefined;
  let isRequested = false;
  const isStopping = () => timer === undefined;

  async function run(): Promise<void> {
    while (isRequested && !isStopping()) {
      isRequested = false;
      await round(isStopping).catch(onFailure);
    }
    current = undefined;
  }

  function wake(): void {
    if (isStopping()) return;
    isRequested = true;
    current ??= run();
  }

  return {
    wake,
    start: () => {
      timer = setInterval(wake, everyMs).unref();
      wake();
    },
    stop: async () => {
      clearInterval(timer);
      timer = undefined;
      await current;
    },
  };
}
