// Runs in every test file: whatever processes its tests have left running, for example because one failed, end with the file.
const { endOwnedProcesses } = require('../../testing/dist/owned-processes.js');

afterAll(async () => {
  const left = await endOwnedProcesses();
  if (left.length > 0)
    process.stderr.write(`killed processes that the tests left running: ${left.join(', ')}\n`);
});
