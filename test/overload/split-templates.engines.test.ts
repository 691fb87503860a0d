import { enginesFromEnvironment, startSplit } from '../harness/stack/start-split.js';
import { describeExpensiveTemplates } from './expensive-templates.js';

describeExpensiveTemplates('on separate services', (evaluator) =>
  startSplit(enginesFromEnvironment(), { evaluator }),
);
