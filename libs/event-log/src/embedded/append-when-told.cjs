// A test's child process: for each line on standard input appends that many kilobytes and answers with a line of JSON.
// The limit on the size of its files, which the test sets from outside, plays the full disk.
const { createInterface } = require('node:readline');
const { openEmbeddedEventLog } = require('../../dist/index.js');

process.on('SIGXFSZ', () => {});
const silent = { error() {}, warn() {}, info() {}, debug() {} };

async function answerForEver() {
  const log = await openEmbeddedEventLog({ dir: process.argv[2], logger: silent });
  const say = (answer) => process.stdout.write(`${JSON.stringify(answer)}\n`);
  say({ ready: true });
  let number = 0;
  for await (const line of createInterface({ input: process.stdin })) {
    const value = Buffer.alloc(Number(line) * 1024, number);
    const outcome = await log.append([{ key: String(number), value, headers: {} }]).then(
      () => ({ appended: number }),
      (error) => ({ code: error.code, appended: -1 }),
    );
    number += 1;
    say({ ...outcome, end: (await log.end()).get(0) });
  }
  await log.close();
}

void answerForEver();
