import { loadConfig, runService } from '@assay/runtime';
import { composeStandalone } from './compose.js';
import { standaloneSettings } from './config.js';

void runService(() =>
  composeStandalone(loadConfig(standaloneSettings, process.env), (line) => process.stdout.write(`${line}\n`)),
);
