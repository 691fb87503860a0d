import {
  type BulkWriteResult,
  MongoBulkWriteError,
  MongoNetworkTimeoutError,
  MongoServerError,
} from 'mongodb';
import { isRefusal } from './map-mongo-error.js';

describe('isRefusal', () => {
  const bulkError = (cause: ConstructorParameters<typeof MongoBulkWriteError>[0]) =>
    new MongoBulkWriteError(cause, {} as BulkWriteResult);

  it.each([
    ['an error of the server', new MongoServerError({ message: 'taken', code: 11_000 }), true],
    ['a bulk write that the server rejects', bulkError({ message: 'taken', code: 11_000 }), true],
    ['a bulk write without an answer', bulkError(new MongoNetworkTimeoutError('timed out')), false],
    ['a lost connection', new MongoNetworkTimeoutError('timed out'), false],
  ])('%s', (_name, error, expected) => {
    expect(isRefusal(error)).toBe(expected);
  });
});
