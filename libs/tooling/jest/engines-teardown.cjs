// Runs after the tests on engines, in the process of the setup and with its modules.
require('../run/typescript-hook.cjs');
module.exports = require('../../../test/harness/engines/jest-setup.ts').stopAfterTests;
