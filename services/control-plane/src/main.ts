import { loadConfig, runService } from '@assay/runtime';
import { controlPlaneServiceSettings } from './config.js';
import { startControlPlane } from './start-control-plane.js';

void runService(() =>
  startControlPlane(loadConfig(controlPlaneServiceSettings, process.env), (line) =>
    process.stdout.write(`${line}\n`),
  ),
);
