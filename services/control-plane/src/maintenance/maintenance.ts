/** Work that goes on beside the requests, one round at a time. */
export interface Maintenance {
  /** Begins a round now, or another after the present one. Does nothing before the start and after the stop. */
  wake(): void;
  /** Does a round now and then one in each interval, until `stop`. */
  start(): void;
  /** Resolves when the present round has ended, at its next step. Idempotent. */
  stop(): Promise<void>;
}

export interface MaintenanceOptions {
  /** A round; it looks at `isStopping` between its steps. */
  readonly round: (isStopping: () => boolean) => Promise<void>;
  readonly everyMs: number;
  /** Hears of a round that failed; the next one goes on. */
  readonly onFailure: (error: unknown) => void;
}

export function makeMaintenance({ round, everyMs, onFailure }: MaintenanceOptions): Maintenance {
  let timer: NodeJS.Timeout | undefined;
  let present: Promise<void> | undefined;
  let isWanted = false;
  const isStopping = () => timer === undefined;

  async function run(): Promise<void> {
    while (isWanted && !isStopping()) {
      isWanted = false;
      await round(isStopping).catch(onFailure);
    }
    present = undefined;
  }

  function wake(): void {
    if (isStopping()) return;
    isWanted = true;
    present ??= run();
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
      await present;
    },
  };
}
