import { setTimeout as delay } from 'node:timers/promises';
import { unavailable } from '@assay/errors';
import type { EventLog } from '@assay/event-log';
import type { WriterPort, LogEpoch } from '@assay/event-store';
import { StartError, type Logger } from '@assay/runtime';
import { LogVersions, type EpochStart } from '../shared/log-versions.js';
import { readEpochFile, writeEpochFile } from './epoch-file.js';
import { decideEpoch, type EpochRules } from './decide-epoch.js';

export interface AgreeOnEpochOptions extends Omit<EpochRules, 'kept'> {
  readonly log: Pick<EventLog, 'identity' | 'end' | 'retainedFrom'>;
  readonly store: { readonly writer: WriterPort };
  readonly logger: Logger;
  /** File that keeps the epoch for the case that the store is lost; absent: epochs start at 0 again. */
  readonly epochFile?: string;
}

/** The epoch in which the log is read, as it is recorded in the store. */
export interface AgreedEpoch {
  readonly entry: LogEpoch;
  readonly versions: LogVersions;
}

const MAX_ATTEMPTS = 10;
const RETRY_MS = 1_000;
/** Exit code of a process whose settings do not fit the stored data: EX_CONFIG. */
const EXIT_CONFIG = 78;

/**
 * Determines the epoch of the log before anything is written. A new epoch is recorded and read back, so that
 * concurrent processes use the same one.
 * @throws StartError (exit code 78) when only an operator can decide, AppError `UNAVAILABLE`
 */
export async function agreeOnEpoch(options: AgreeOnEpochOptions): Promise<AgreedEpoch> {
  const { log, store, logger, epochFile } = options;
  const kept = epochFile === undefined ? undefined : await readEpochFile(epochFile);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const [identity, end] = [await log.identity(), await log.end()];
    const recorded = await store.writer.logEpochs();
    const decision = decideEpoch(recorded, { identity, end }, { ...options, kept });
    if (decision.kind === 'keep') {
      const { entry } = decision;
      if (epochFile !== undefined && (entry.epoch !== kept?.epoch || entry.log !== kept.log))
        await writeEpochFile(epochFile, entry, logger);
      await warnOfGap(options, entry);
      return { entry, versions: versionsOf(recorded, identity) };
    }
    if (decision.kind === 'raise') {
      const { entry, cause } = decision;
      if (cause !== undefined) logger.warn('new epoch of the event log', { epoch: entry.epoch, cause });
      await store.writer.recordLogEpoch(entry);
    } else if (decision.mayPass && attempt < MAX_ATTEMPTS) {
      // A broker that has just become the leader can report an earlier end for some seconds.
      await delay(RETRY_MS);
    } else throw new StartError(decision.message, { exitCode: EXIT_CONFIG });
  }
  throw unavailable('the epoch of the event log is being changed by other processes');
}

function versionsOf(recorded: readonly LogEpoch[], identity: string): LogVersions {
  const ofLog = recorded.filter(({ log }) => log === identity);
  const starts = ofLog.map(({ epoch, partitions }): EpochStart => ({
    epoch,
    first: new Map([...partitions].map(([partition, { first }]) => [partition, first])),
  }));
  return new LogVersions(starts.reverse());
}

/** Records that retention has removed cannot be stored any more. */
async function warnOfGap({ log, logger }: AgreeOnEpochOptions, { partitions }: LogEpoch): Promise<void> {
  for (const [partition, beforeOffset] of await log.retainedFrom()) {
    const fromOffset = partitions.get(partition)?.position ?? 0;
    if (fromOffset < beforeOffset)
      logger.warn('the log no longer has records that the event store may lack', {
        partition,
        fromOffset,
        beforeOffset,
      });
  }
}
