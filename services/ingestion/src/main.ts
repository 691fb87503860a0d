import { loadConfig, runService } from '@assay/runtime';
import { ingestionSettings } from './config.js';
import { startIngestion } from './start-ingestion.js';

void runService(() =>
  startIngestion(loadConfig(ingestionSettings, process.env), (line) => process.stdout.write(`${line}\n`)),
);
