// A test's child process: appends numbered records one by one to the log that its argument describes, and writes each number
// to standard output once its append has resolved. It ends by being killed.
const { openEmbeddedEventLog, openKafkaEventLog } = require('../dist/index.js');

const silent = { error() {}, warn() {}, info() {}, debug() {} };
const { kind, options } = JSON.parse(process.argv[2]);
const opens = { embedded: openEmbeddedEventLog, kafka: openKafkaEventLog };

async function appendForEver() {
  const log = await opens[kind]({ ...options, logger: silent, onCrash() {} });
  await Promise.all([0, 1, 2, 3].map((lane) => appendLane(log, lane)));
}

async function appendLane(log, lane) {
  for (let number = lane; ; number += 4) {
    await log.append([{ key: `lane-${lane}`, value: Buffer.from(String(number)), headers: {} }]);
    process.stdout.write(`${number}\n`);
  }
}

void appendForEver();
