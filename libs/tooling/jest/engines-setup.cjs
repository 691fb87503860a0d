// Runs before the tests on engines. jest resolves no `.js` import of a TypeScript source here, the hook does.
require('../run/typescript-hook.cjs');
module.exports = require('../../../test/harness/engines/jest-setup.ts').startBeforeTests;
