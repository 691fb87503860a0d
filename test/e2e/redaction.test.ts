import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startStandalone } from '../harness/stack/start-standalone.js';
import { redactionJourney } from './redaction-journey.js';

describe('redaction on the standalone process', () =>
  redactionJourney(async () => {
    const stack = await startStandalone({ REDACT_VALUES: 'true' });
    const documents = join(stack.dir, 'data', 'documents');
    const files = () => [
      ...readdirSync(documents).map((name) => join(documents, name)),
      join(stack.dir, 'standalone.log'),
    ];
    return {
      stack,
      hasSummaries: false,
      seen: () => Promise.resolve(Buffer.concat(files().map((file) => readFileSync(file)))),
      stop: () => stack.stop(),
    };
  }));
