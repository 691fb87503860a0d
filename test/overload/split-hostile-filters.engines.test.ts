import { onStack } from '../harness/stack/on-stack.js';
import { enginesFromEnvironment, startSplit } from '../harness/stack/start-split.js';
import { describeHostileFilters } from './hostile-filters.js';

describe('separate services', () => {
  const { stack } = onStack(() => startSplit(enginesFromEnvironment()));
  describeHostileFilters('in separate services', () => stack);
});
