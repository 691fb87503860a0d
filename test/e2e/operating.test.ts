import { onStack } from '../harness/stack/on-stack.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import { reportsStatus } from './status-journey.js';
import { listsRejections } from './rejections-journey.js';

describe('an operator of the single process', () => {
  const on = onStack(() => startStandalone());
  listsRejections(on);
  reportsStatus(on);
});
