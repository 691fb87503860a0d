import { chdbUnderTest } from '../../test/chdb-under-test.js';
import { plainReadContract } from '../../test/event-store-contract.js';

describe('the event store in the process without hints', () => plainReadContract(chdbUnderTest('off')));
