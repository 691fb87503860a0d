import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@assay/testing';
import { describeEventLogContract, type LogUnderTest } from '../../test/event-log-contract.js';
import { describeNotesContract } from '../../test/notes-contract.js';
import { openEmbeddedEventLog } from './embedded-event-log.js';

const makeLog = async (): Promise<LogUnderTest> => {
  const dir = await mkdtemp(join(tmpdir(), 'assay-log-'));
  const open = () => openEmbeddedEventLog({ dir, logger: silentLogger });
  return {
    open,
    forChild: { kind: 'embedded', options: { dir } },
    // The engine runs in the process: closing it while an append is in progress disconnects it.
    disconnect: (log) => {
      const underWay = log.append([{ key: 'k', value: Buffer.from('under way'), headers: {} }]);
      const closed = log.close();
      return Promise.resolve(async () => {
        await Promise.all([underWay, closed]);
        return open();
      });
    },
    remove: () => rm(dir, { recursive: true, force: true }),
  };
};

describeEventLogContract('embedded', makeLog);
describeNotesContract('embedded', makeLog);
