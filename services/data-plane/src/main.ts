import { loadConfig, runService } from '@assay/runtime';
import { dataPlaneSettings } from './config.js';
import { startDataPlane } from './start-data-plane.js';

void runService(() =>
  startDataPlane(loadConfig(dataPlaneSettings, process.env), (line) => process.stdout.write(`${line}\n`)),
);
