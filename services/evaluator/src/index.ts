export { composeEvaluator, type Evaluator, type EvaluatorOptions } from './compose.js';
export { evaluationSettings, evaluationSwitch } from './config.js';
export { inspectPython, makeEvaluatorStatus } from './models/evaluator-status.js';
export { makeModelWarnings } from './models/model-warnings.js';
export { defaultModelOf } from './models/default-model.js';
export { openJudge } from './models/open-judge.js';
export { deferredPythonRunner } from './shared/deferred-python-runner.js';
