import { runService } from '@assay/runtime';
import { composeStandalone } from './compose.js';
import { standaloneSettings } from './config.js';

void runService(standaloneSettings, composeStandalone);
