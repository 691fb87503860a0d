// A test's child process: for each line on standard input appends that many kilobytes and responds with a
// line of JSON. A line `dead-letter` stores a dead letter instead. The test makes the disk full from outside.
const { createInterface } = require('node:readline');
const { openEmbeddedEventLog } = require('../dist/index.js');

process.on('SIGXFSZ', () => {});
const silent = { error() {}, warn() {}, info() {}, debug() {} };

async function respond() {
  const log = await openEmbeddedEventLog({ dir: process.argv[2], logger: silent });
  const say = (response) => process.stdout.write(`${JSON.stringify(response)}\n`);
  say({ ready: true });
  let number = 0;
  for await (const line of createInterface({ input: process.stdin })) {
    const value = Buffer.alloc((Number(line) || 100) * 1024, number);
    const record = { key: String(number), value, headers: {}, partition: 0, offset: number, appendedAt: 0 };
    const reason = { group: 'g', errorClass: 'X' };
    const work = line === 'dead-letter' ? log.deadLetter(record, reason) : log.append([record]);
    const outcome = await work.then(
      () => ({ appended: number }),
      (error) => ({ code: error.code, appended: -1 }),
    );
    number += 1;
    say({ ...outcome, end: (await log.end()).get(0) });
  }
  await log.close();
}

void respond();
