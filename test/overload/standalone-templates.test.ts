import { startStandalone } from '../harness/stack/start-standalone.js';
import { describeExpensiveTemplates } from './expensive-templates.js';

describeExpensiveTemplates('on the standalone process', (settings) =>
  startStandalone({ LOG_LEVEL: 'error', ...settings }),
);
