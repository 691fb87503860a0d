import { chdbUnderTest } from '../../test/chdb-under-test.js';
import { changeContract } from '../../test/event-store-contract.js';

describe('the event store in the process', () => changeContract(chdbUnderTest()));
