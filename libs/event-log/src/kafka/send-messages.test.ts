import { silentLogger } from '@assay/testing';
import type { Producer } from 'kafkajs';
import { startMovingLeaders, type MovingLeaders } from '../../test/moving-leaders.js';
import { BatchMessage } from './batch-message.js';
import { makeClients } from './clients.js';
import { makeProducer, sendMessages } from './send-messages.js';

const TOPIC = 'events';
const batch = (partition: number) =>
  new BatchMessage(partition, [{ key: 'k', value: Buffer.from('v'), headers: {} }]);

describe('a send for several partitions', () => {
  let brokers: MovingLeaders;
  let producer: Producer;

  beforeEach(async () => {
    brokers = await startMovingLeaders(TOPIC);
    producer = makeProducer(makeClients({ brokers: brokers.addresses, logger: silentLogger }).forWriting);
    await producer.connect();
  });

  afterEach(async () => {
    await producer.disconnect();
    await brokers.close();
  });

  it('appends to each when one moves to a broker that has acknowledged its part', async () => {
    await sendMessages(producer, TOPIC, [batch(0), batch(1)]);
    expect(brokers.appended).toEqual([0, 1]);
  });

  it('is refused when one of them is unknown to the brokers', async () => {
    const sending = sendMessages(producer, TOPIC, [batch(0), batch(2)]);
    await expect(sending).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(brokers.appended).toEqual([0]);
  });
});
