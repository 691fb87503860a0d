// Starts the slowest suites first, so that no worker is left with a long suite while the others have nothing to do. A fresh clone has no
// timings of an earlier run: it uses those of slow-suites.json (seconds, on two cores). A suite of less than 7 seconds need not be there.
const { existsSync } = require('node:fs');
const path = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

const root = path.resolve(__dirname, '../../..');
const slow = new Map();
for (const [file, seconds] of Object.entries(require('./slow-suites.json'))) {
  const suite = path.join(root, file);
  if (!existsSync(suite)) throw new Error(`slow-suites.json names a file that does not exist: ${file}`);
  slow.set(suite, seconds);
}

module.exports = class SlowestFirst extends Sequencer {
  sort(tests) {
    const byFailure = (test) => Number(this.hasFailed(test));
    const bySeconds = (test) => this.time(test) / 1000 || slow.get(test.path) || 0;
    return [...super.sort(tests)].sort((a, b) => byFailure(b) - byFailure(a) || bySeconds(b) - bySeconds(a));
  }
};
