// Runs before the tests on engines. jest resolves no `.js` import of a TypeScript source here, the hook does.
require('../run/typescript-hook.cjs');
const { startBeforeTests } = require('../../../test/harness/engines/jest-setup.ts');
const sequencer = require('./engines-sequencer.cjs');

module.exports = () => startBeforeTests(sequencer.suites);
