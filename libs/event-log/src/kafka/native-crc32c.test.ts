import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

describe('the native checksum', () => {
  // In a process of its own: the test runner has a module cache of its own kind.
  it('is what kafkajs computes its checksums with', () => {
    const dist = join(__dirname, '../../dist/kafka');
    const program = `
      require('${dist}/clients.js');
      const crc = require(require.resolve('kafkajs/src/protocol/recordBatch/crc32C', { paths: ['${dist}'] }));
      const { isNativeCrc32c } = require('${dist}/native-crc32c.js');
      process.stdout.write([isNativeCrc32c, crc(Buffer.from('123456789')).toString(16)].join(' '));`;
    expect(execFileSync(process.execPath, ['-e', program]).toString()).toBe('true e3069283');
  });
});
