import { AppError } from '@assay/errors';
import { ConfigError } from '../config/load-config.js';
import type { Logger } from '../log/logger.js';

/** A running service: how to end it. */
export interface Running {
  /** Drains and closes everything. True when all went well. */
  close(): Promise<boolean>;
}

export interface RunOptions {
  readonly logger: Logger;
  /** The process ends at the latest after this time from the signal, clean or not. */
  readonly closeWithinMs: number;
}

/**
 * Runs a service until SIGTERM or SIGINT: then drains and exits 0. Exits 1 when the start or the close fails, on a second signal,
 * or when closing takes too long; 78 (EX_CONFIG of sysexits.h) when the configuration is wrong.
 */
export async function runService(start: () => Promise<Running & RunOptions>): Promise<void> {
  const service = await started(start);
  let ending = false;
  const end = (reason: string, failed: boolean) => {
    if (ending) process.exit(1);
    ending = true;
    service.logger.info('closing', { reason });
    setTimeout(() => process.exit(1), service.closeWithinMs).unref();
    void service.close().then((clean) => process.exit(clean && !failed ? 0 : 1));
  };
  process.on('SIGTERM', () => end('SIGTERM', false));
  process.on('SIGINT', () => end('SIGINT', false));
  const fail = (phrase: string) => (error: unknown) => {
    service.logger.error(phrase, {}, error);
    end(phrase, true);
  };
  process.on('uncaughtException', fail('uncaught exception'));
  process.on('unhandledRejection', fail('unhandled rejection'));
}

/** Most wrong settings are found before `start` has a promise to return: what it throws is told like what it rejects with. */
async function started<T>(start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    process.stderr.write(`${startFailure(error)}\n`);
    process.exit(error instanceof ConfigError ? 78 : 1);
  }
}

/** A sentence for what an operator can put right, with its cause; a stack trace for what only a programmer can. */
function startFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ConfigError) return error.message;
  if (!(error instanceof AppError)) return error.stack ?? error.message;
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
