import { chdbUnderTest } from '../../test/chdb-under-test.js';
import { crashContract } from '../../test/event-store-contract.js';

describe('the event store in the process', () => crashContract(chdbUnderTest()));
