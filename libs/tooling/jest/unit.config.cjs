// Tests of single packages on the embedded stores; the tests of the whole product in `test/` are left out.
const embedded = require('./embedded.config.cjs');
module.exports = {
  ...embedded,
  roots: ['<rootDir>/libs', '<rootDir>/services', '<rootDir>/deploy'],
};
