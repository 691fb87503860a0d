import { runService } from '@assay/runtime';
import { controlPlaneServiceSettings } from './config.js';
import { startControlPlane } from './start-control-plane.js';

void runService(controlPlaneServiceSettings, startControlPlane);
