import { runService } from '@assay/runtime';
import { dataPlaneSettings } from './config.js';
import { runMigrations } from './run-migrations.js';
import { startDataPlane } from './start-data-plane.js';

const [, , command] = process.argv;
if (command === undefined) void runService(dataPlaneSettings, startDataPlane);
else if (command === 'migrate') void runMigrations(process.env);
else {
  process.stderr.write('unknown argument; migrate is the only one\n');
  process.exitCode = 2;
}
