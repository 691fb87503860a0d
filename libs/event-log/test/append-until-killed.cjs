// Child process of a test: appends numbered records one by one to the log that its argument describes, and
// writes each number to standard output once its append has resolved. It runs until it is killed.
const { openEmbeddedEventLog } = require('../dist/index.js');
const { openKafkaEventLog } = require('../dist/kafka/kafka-event-log.js');

const silent = { error() {}, warn() {}, info() {}, debug() {} };
const { kind, options } = JSON.parse(process.argv[2]);
const opens = { embedded: openEmbeddedEventLog, kafka: openKafkaEventLog };

async function appendUntilKilled() {
  const log = await opens[kind]({ ...options, logger: silent, onCrash() {} });
  await Promise.all([0, 1, 2, 3].map((lane) => appendLane(log, lane)));
}

async function appendLane(log, lane) {
  for (let number = lane; ; number += 4) {
    await log.append([{ key: `lane-${lane}`, value: Buffer.from(String(number)), headers: {} }]);
    process.stdout.write(`${number}\n`);
  }
}

void appendUntilKilled();
