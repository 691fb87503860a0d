import { clickHouseUnderTest } from '../../test/clickhouse-under-test.js';
import { readContract } from '../../test/event-store-contract.js';

describe('the event store on a server', () =>
  readContract(clickHouseUnderTest(process.env['CLICKHOUSE_URL'] ?? '')));
