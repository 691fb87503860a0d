import { runService } from '@assay/runtime';
import { dataPlaneSettings } from './config.js';
import { startDataPlane } from './start-data-plane.js';

void runService(dataPlaneSettings, startDataPlane);
