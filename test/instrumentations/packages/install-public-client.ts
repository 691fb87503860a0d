// Installs the public Python client before the tests of the console, which have no network. Where it cannot be had, those that need it fail.
import { pythonWith } from './client-packages.js';

pythonWith('public-client').catch((error: unknown) => {
  process.stderr.write(`The public Python client is not installed: ${String(error)}\n`);
});
