export { composeEvaluator, type Evaluator, type EvaluatorOptions } from './compose.js';
export { evaluationSettings } from './config.js';
export { openJudge } from './models/open-judge.js';
export { DeferredPythonRunner } from './shared/deferred-python-runner.js';
export { refusingJudge } from './shared/refusing-judge.js';
