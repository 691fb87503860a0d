import { enginesFromEnvironment, startSplit } from '../harness/stack/start-split.js';
import { declareJourneys, KILL_JOURNEYS, SESSION_JOURNEYS } from './journeys.js';

const start = ({ everywhere }: { readonly everywhere?: Readonly<Record<string, string>> }) =>
  startSplit(enginesFromEnvironment(), { everywhere });

declareJourneys(SESSION_JOURNEYS, 'on separate services', start);
describe.each(KILL_JOURNEYS)('$name on separate services', ({ declare, everywhere }) =>
  declare(() => start({ everywhere })),
);
