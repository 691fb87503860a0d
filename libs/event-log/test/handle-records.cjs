// Child process of a test: handles the records of the log that its argument describes, one line of standard output for each
// group of records and each record that is marked within one, and then does not end for a record `fatal`, as an endless search would.
const { openEmbeddedEventLog, startConsumerLoop } = require('../dist/index.js');
const { openKafkaEventLog } = require('../dist/kafka/kafka-event-log.js');

const silent = { error() {}, warn() {}, info() {}, debug() {} };
const { kind, options } = JSON.parse(process.argv[2]);
const opens = { embedded: openEmbeddedEventLog, kafka: openKafkaEventLog };
const print = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

async function handleRecords() {
  const log = await opens[kind]({ ...options, logger: silent, onCrash() {} });
  const limits = { maxRecords: 1_000, maxBytes: 1_000_000, lingerMs: 0 };
  await startConsumerLoop({
    ...{ log, logger: silent, group: 'handled', ...limits },
    onFatalRecord: () => print('fatal record'),
    handle: (batch, _reject, guarded) => guarded((handling) => handle(batch, handling)),
  });
}

async function handle(batch, handling) {
  print(batch.map(({ value }) => value.toString()));
  for (const record of batch) {
    const value = record.value.toString();
    const marked = handling.record(record);
    if (marked) {
      await marked;
      if (batch.length > 1) print(`mark ${value}`);
    }
    while (value === 'fatal');
  }
}

void handleRecords();
