import { chdbUnderTest } from '../../test/chdb-under-test.js';
import { partitionContract } from '../../test/contract/partition-contract.js';

describe('partitions of the event store in the process', () =>
  partitionContract(chdbUnderTest(), 'partitions'));
