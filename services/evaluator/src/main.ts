import { runService } from '@assay/runtime';
import { evaluatorSettings } from './config.js';
import { startEvaluator } from './start-evaluator.js';

void runService(evaluatorSettings, startEvaluator);
