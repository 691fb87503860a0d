import { chdbUnderTest } from '../../test/chdb-under-test.js';
import { readContract } from '../../test/event-store-contract.js';

describe('the event store in the process', () => readContract(chdbUnderTest()));
