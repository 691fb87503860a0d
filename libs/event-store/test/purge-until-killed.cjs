'use strict';
// Opens a store, starts to purge deleted events, says so, and waits to be killed: `purge-until-killed.cjs <options of the store as JSON>`.
const { createChdbEventStore } = require('../dist/chdb/create-chdb-event-store.js');

const store = createChdbEventStore(JSON.parse(process.argv[2]));

async function main() {
  const limits = { deletedBefore: Date.now() + 60_000, maxBytes: 1024 ** 4, allowsLargerPart: true };
  const step = await store.administration.purgeDeleted(limits);
  process.stdout.write(`${step.state}\n`);
  setInterval(() => undefined, 60_000);
}

main().catch((error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});
