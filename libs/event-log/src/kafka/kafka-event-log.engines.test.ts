import { silentLogger, startFaultProxy } from '@assay/testing';
import { describeEventLogContract, freshName, type LogUnderTest } from '../../test/event-log-contract.js';
import { describeNotesContract } from '../../test/notes-contract.js';
import { openKafkaEventLog } from './kafka-event-log.js';

const broker = (process.env.KAFKA_BROKERS ?? '').split(',')[0] ?? '';

const makeLog = async (): Promise<LogUnderTest> => {
  const proxy = await startFaultProxy(broker);
  // The tests of the notes kill readers, and wait for the end of their sessions.
  const shared = { topicPrefix: freshName(), partitions: 3, replicationFactor: 1, sessionMs: 10_000 };
  const options = {
    ...shared,
    brokers: [proxy.address],
    addresses: { [broker]: proxy.address },
    logger: silentLogger,
  };
  return {
    open: () => openKafkaEventLog({ ...options, onCrash: () => undefined }),
    forChild: { kind: 'kafka', options: { ...shared, brokers: [broker] } },
    disconnect: (log) => {
      proxy.become('stall');
      return Promise.resolve(() => {
        proxy.become('none');
        return Promise.resolve(log);
      });
    },
    remove: () => proxy.close(),
  };
};

describeEventLogContract('kafka', makeLog);
describeNotesContract('kafka', makeLog);
