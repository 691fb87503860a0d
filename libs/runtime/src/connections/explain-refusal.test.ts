import { AppError } from '@assay/errors';
import { CLICKHOUSE, explainRefusal, KAFKA, MONGODB, type System } from './explain-refusal.js';

/** An error as the clients of the engines throw them: with the reason in a cause. */
function failure(properties: Record<string, unknown>): AppError {
  const reason = Object.assign(new Error('reason'), properties);
  return new AppError('UNAVAILABLE', 'unreachable', { cause: new Error('wrapped', { cause: reason }) });
}

const outcome = (error: unknown) => explainRefusal(KAFKA, () => Promise.reject(error as Error));

describe('explainRefusal', () => {
  it.each([
    ['SELF_SIGNED_CERT_IN_CHAIN', 'is not signed by a trusted authority, set KAFKA_CA_FILE to the right one'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'is not signed by a trusted authority'],
    ['CERT_HAS_EXPIRED', 'has expired or is not valid yet'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'is for another host name'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'did not respond with TLS'],
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'is refused by the Kafka brokers, check KAFKA_CERT_FILE'],
    ['ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', 'is refused by the Kafka brokers'],
    ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'is refused by the Kafka brokers'],
  ])('ends the start for %s', async (code, sentence) => {
    await expect(outcome(failure({ code }))).rejects.toMatchObject({
      exitCode: 78,
      message: expect.stringContaining(sentence) as string,
    });
  });

  it('ends the start for refused credentials of Kafka and MongoDB', async () => {
    for (const error of [{ name: 'KafkaJSSASLAuthenticationError' }, { codeName: 'AuthenticationFailed' }])
      await expect(outcome(failure(error))).rejects.toMatchObject({
        exitCode: 78,
        message: expect.stringContaining('check KAFKA_SASL_MECHANISM') as string,
      });
  });

  it('looks into a group of errors', async () => {
    const errors = [failure({ type: 'TOPIC_AUTHORIZATION_FAILED' })];
    await expect(outcome(failure({ name: 'KafkaJSAggregateError', errors }))).rejects.toMatchObject({
      exitCode: 78,
      message: expect.stringContaining('the user lacks rights at the Kafka brokers') as string,
    });
    await expect(outcome(failure({ errors: [] }))).rejects.toBeInstanceOf(AppError);
  });

  it.each<[System, Record<string, unknown>, string]>([
    [
      KAFKA,
      { type: 'TOPIC_AUTHORIZATION_FAILED' },
      'the user lacks rights at the Kafka brokers, allow it to',
    ],
    [CLICKHOUSE, { code: '497', type: 'ACCESS_DENIED' }, 'the user lacks rights at ClickHouse, grant it all'],
    [
      CLICKHOUSE,
      { code: '164', type: 'READONLY' },
      'the user may only read at ClickHouse, remove the setting',
    ],
    [CLICKHOUSE, { code: '81', type: 'UNKNOWN_DATABASE' }, 'check CLICKHOUSE_DATABASE or create it'],
    [
      MONGODB,
      { code: 13, codeName: 'Unauthorized' },
      'the user lacks rights at MongoDB, grant it the role readWrite',
    ],
  ])('ends the start for missing rights at %j, error %j', async (system, error, sentence) => {
    await expect(explainRefusal(system, () => Promise.reject(failure(error)))).rejects.toMatchObject({
      exitCode: 78,
      message: expect.stringContaining(sentence) as string,
    });
  });

  it('names the rights that an error names, without columns', async () => {
    const message =
      "user: Not enough privileges. To execute this query, it's necessary to have the grant SELECT(a, b), DROP TABLE ON assay.events";
    const error = failure({ code: '497', type: 'ACCESS_DENIED', message });
    await expect(explainRefusal(CLICKHOUSE, () => Promise.reject(error))).rejects.toMatchObject({
      message: expect.stringContaining(
        'lacks the right SELECT, DROP TABLE ON assay.events at ClickHouse',
      ) as string,
    });
  });

  it.each(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND'])('leaves %s to be retried', async (code) => {
    const error = failure({ code });
    await expect(outcome(error)).rejects.toBe(error);
  });

  it('returns what the calls return', async () => {
    expect(await explainRefusal(KAFKA, () => Promise.resolve(1))).toBe(1);
  });
});
