import { AppError } from '@assay/errors';
import {
  ConfigError,
  loadConfig,
  misspeltNames,
  type ConfigOf,
  type Declaration,
} from '../config/load-config.js';
import type { Logger } from '../log/logger.js';
import { EndSignals } from './end-signals.js';
import { prepareProcess } from './prepare-process.js';
import { StartError } from './start-error.js';

/** A running service. */
export interface RunningService {
  readonly logger: Logger;
  /** Maximum time from the shutdown signal to the exit of the process. */
  readonly closeWithinMs: number;
  /** Drains and closes everything. Resolves to true when every part closed without an error. */
  close(): Promise<boolean>;
}

/** Starts a service. `print` writes a line for a person, such as the address of the service, to standard output. */
export type StartService<D extends Declaration> = (
  config: ConfigOf<D>,
  print: (line: string) => void,
) => Promise<RunningService>;

/**
 * Runs a service with the settings of the environment until SIGTERM or SIGINT, then drains it and exits 0. A signal after
 * the first printed line waits for the end of the start; one before it ends the process immediately. Exits 1 when the start
 * or the shutdown fails, on a second signal, or when the shutdown takes too long; 78 (EX_CONFIG of sysexits.h) for an
 * invalid configuration, or one that does not fit the stored data.
 */
export async function runService<D extends Declaration>(settings: D, start: StartService<D>): Promise<void> {
  const warnings = [...prepareProcess(process), ...misspeltNames(settings, process.env)];
  const signals = new EndSignals();
  const service = await startOrExit(settings, (config) =>
    start(config, (line) => {
      signals.hold();
      process.stdout.write(`${line}\n`);
    }),
  );
  for (const warning of warnings) service.logger.warn(warning);
  let closing = false;
  const shutDown = (reason: string, failed: boolean) => {
    if (closing) process.exit(1);
    closing = true;
    service.logger.info('shutting down', { reason });
    setTimeout(() => process.exit(1), service.closeWithinMs).unref();
    void service.close().then((clean) => process.exit(clean && !failed ? 0 : 1));
  };
  const fail = (phrase: string) => (error: unknown) => {
    service.logger.error(phrase, {}, error);
    shutDown(phrase, true);
  };
  process.on('uncaughtException', fail('uncaught exception'));
  process.on('unhandledRejection', fail('unhandled rejection'));
  signals.deliver((signal) => shutDown(signal, false));
}

async function startOrExit<D extends Declaration>(
  settings: D,
  start: (config: ConfigOf<D>) => Promise<RunningService>,
): Promise<RunningService> {
  try {
    return await start(loadConfig(settings, process.env));
  } catch (error) {
    process.stderr.write(`${startFailure(error)}\n`);
    process.exit(exitCodeOf(error));
  }
}

function exitCodeOf(error: unknown): number {
  if (error instanceof StartError) return error.exitCode;
  return error instanceof ConfigError ? 78 : 1;
}

/** Returns a message with its cause for what an operator can fix, else a stack trace. */
function startFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ConfigError || error instanceof StartError) return error.message;
  if (!(error instanceof AppError)) return error.stack ?? error.message;
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
