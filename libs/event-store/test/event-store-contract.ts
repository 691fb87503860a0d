import type { EventStore } from '../src/event-store.js';
import type { QueryLimits } from '../src/sql/engine/engine.js';
import type { EngineUnderTest } from './engine-fixture.js';
import { chartContract } from './contract/chart-contract.js';
import { childrenContract } from './contract/children-contract.js';
import { deletionContract } from './contract/deletion-contract.js';
import { derivedPageContract } from './contract/derived-page-contract.js';
import { durabilityContract } from './contract/durability-contract.js';
import { evaluationContract } from './contract/evaluation-contract.js';
import { eventRowsContract } from './contract/event-rows-contract.js';
import { eventSchemaContract } from './contract/event-schema-contract.js';
import { expiryContract } from './contract/expiry-contract.js';
import { fieldValuesContract } from './contract/field-values-contract.js';
import { fieldBytesContract } from './contract/field-bytes-contract.js';
import { filterValuesContract } from './contract/filter-values-contract.js';
import { incompleteContract } from './contract/incomplete-contract.js';
import { keptPayloadContract } from './contract/kept-payload-contract.js';
import { logEpochContract } from './contract/log-epoch-contract.js';
import { mediaContract } from './contract/media-contract.js';
import { pagePartContract } from './contract/page-part-contract.js';
import { projectContract } from './contract/project-contract.js';
import { purgeContract } from './contract/purge-contract.js';
import { rollupContract } from './contract/rollup-contract.js';
import { rowContract } from './contract/row-contract.js';
import { searchContract } from './contract/search-contract.js';
import { runEventsContract } from './contract/run-events-contract.js';
import { runMembersContract } from './contract/run-members-contract.js';
import { forgetContract } from './contract/forget-contract.js';
import { groundTruthContract } from './contract/ground-truth-contract.js';
import { runScoresContract } from './contract/run-scores-contract.js';
import { sessionValueContract } from './contract/session-value-contract.js';
import { sessionFilterContract } from './contract/session-filter-contract.js';
import { sessionPageContract } from './contract/session-page-contract.js';
import { sessionTreeContract } from './contract/session-tree-contract.js';
import { sessionContract } from './contract/session-contract.js';
import { stateContract } from './contract/state-contract.js';
import { stateSizeContract } from './contract/state-size-contract.js';
import { storedEventsContract } from './contract/stored-events-contract.js';
import { summaryContract } from './contract/summary-contract.js';
import { writeContract } from './contract/write-contract.js';

/** The contract of every event store, in parts of about the same run time: what reads return. `partitionContract` is a further part. */
export function readContract(engine: EngineUnderTest): void {
  const { store, database } = onStore(engine);
  hintedReads(store, (limits) => engine.open(database, limits));
  describe('pages with derived values', () => derivedPageContract(store));
  describe('values of fields', () => fieldValuesContract(store));
  describe('bytes of fields', () => fieldBytesContract(store));
  describe('trees of sessions', () => sessionTreeContract(store));
  describe('states', () => stateContract(store));
  describe('state sizes', () => stateSizeContract(store));
  describe('evaluations', () => evaluationContract(store));
  describe('roll-ups', () => rollupContract(store));
  describe('fields of events', () => eventSchemaContract(store));
  describe('charts', () => chartContract(store));
  describe('members of runs', () => runMembersContract(store));
  describe('scores of runs', () => runScoresContract(store));
  describe('labels in ground truths', () => groundTruthContract(store));
  describe('session summaries', () => summaryContract(store));
  describe('pages of sessions', () => sessionPageContract(store));
  describe('values of filters', () => filterValuesContract(store));
  describe('filters on sessions', () => sessionFilterContract(store));
  describe('values of sessions', () => sessionValueContract(store));
}

/** The parts of {@link readContract} that hints can change, for a store that remembers nothing. */
export function plainReadContract(engine: EngineUnderTest): void {
  const { store, database } = onStore(engine);
  hintedReads(store, (limits) => engine.open(database, limits));
}

function hintedReads(store: () => EventStore, open: (limits: QueryLimits) => EventStore): void {
  describe('search', () => searchContract(store, open));
  describe('parts of a page', () => pagePartContract(store, open));
  describe('pages of events', () => eventRowsContract(store));
  describe('events of runs', () => runEventsContract(store));
  describe('children', () => childrenContract(store));
}

/** What writes, deletes and removals leave behind. */
export function changeContract(engine: EngineUnderTest): void {
  const { store, database } = onStore(engine);
  describe('deleting sessions', () => sessionContract(store));
  describe('writing', () => writeContract(store));
  describe('removing projects', () => projectContract(store, () => engine.open(database)));
  describe('finding expired events', () => expiryContract(store));
  describe('listing stored events', () => storedEventsContract(store));
  describe('purging deleted events', () => purgeContract(engine, `${database}_purged`));
  describe('forgetting deletes', () => forgetContract(engine, `${database}_forgotten`));
  describe('media', () => mediaContract(engine, `${database}_media`));
  describe('deletions by filters', () => deletionContract(engine, `${database}_deletions`));
  describe('rows', () => rowContract(() => engine.engine(), `${database}_rows`));
}

/** What a store finds after a crash, and after a restart. */
export function crashContract(engine: EngineUnderTest): void {
  const { database } = onStore(engine);
  describe('incomplete rows', () => incompleteContract(engine, `${database}_half`));
  describe('kept payloads', () => keptPayloadContract(engine, `${database}_kept`));
  describe('epochs of the log', () => logEpochContract(engine, `${database}_epochs`));
  describe('durability', () => durabilityContract(engine, database));
}

/** Opens a store for the tests of the surrounding `describe`, on a database of its own. */
function onStore(engine: EngineUnderTest): { readonly store: () => EventStore; readonly database: string } {
  const database = newDatabase();
  const shared: { store?: EventStore } = {};
  const store = () => {
    if (shared.store === undefined) throw new Error('the store is not open');
    return shared.store;
  };
  beforeAll(async () => {
    shared.store = engine.open(database);
    await shared.store.administration.migrate();
  });
  afterAll(() => shared.store?.administration.close());
  return { store, database };
}

let databases = 0;

/** Returns a database that no earlier run has used. */
function newDatabase(): string {
  databases += 1;
  return `contract_${process.pid}_${Date.now()}_${databases}`;
}
