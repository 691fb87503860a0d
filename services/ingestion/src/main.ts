import { runService } from '@assay/runtime';
import { ingestionSettings } from './config.js';
import { startIngestion } from './start-ingestion.js';

void runService(ingestionSettings, startIngestion);
