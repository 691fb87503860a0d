import { kafkaSettings } from '../config/engine-settings.js';
import { loadConfig } from '../config/load-config.js';
import { kafkaOptions } from './kafka-options.js';

describe('the Kafka options', () => {
  const optionsOf = (settings: Record<string, string>) =>
    kafkaOptions(loadConfig(kafkaSettings, settings), { warn: fail });

  it.each(['100', '1'])('take the retention of new topics from LOG_RETENTION_HOURS=%s', (hours) => {
    const options = optionsOf({ LOG_RETENTION_HOURS: hours });
    expect(options.retentionMs).toBe(Number(hours) * 3_600_000);
  });

  it('take the size of the largest message from MAX_EVENT_BYTES, 16 MiB by default', () => {
    expect(optionsOf({ MAX_EVENT_BYTES: '1048576' }).maxMessageBytes).toBe(1_048_576);
    expect(optionsOf({}).maxMessageBytes).toBe(16_777_216);
    expect(() => optionsOf({ MAX_EVENT_BYTES: '999999' })).toThrow('MAX_EVENT_BYTES');
    expect(() => optionsOf({ MAX_EVENT_BYTES: '16777217' })).toThrow('MAX_EVENT_BYTES');
  });

  it('take the time after which a reader loses its partitions from KAFKA_SESSION_SECONDS, 30 s by default', () => {
    expect(optionsOf({ KAFKA_SESSION_SECONDS: '10' }).sessionMs).toBe(10_000);
    expect(optionsOf({}).sessionMs).toBe(30_000);
    for (const outside of ['9', '31'])
      expect(() => optionsOf({ KAFKA_SESSION_SECONDS: outside })).toThrow('KAFKA_SESSION_SECONDS');
  });

  it('have the client of a token endpoint, and name what is missing', () => {
    const settings = {
      KAFKA_SASL_MECHANISM: 'oauthbearer',
      KAFKA_OAUTH_TOKEN_URL: 'https://login.example.com/token',
      KAFKA_OAUTH_CLIENT_ID: 'assay',
      KAFKA_OAUTH_CLIENT_SECRET: 'secret-of-the-client',
      KAFKA_OAUTH_SCOPE: 'kafka',
    };
    expect(optionsOf(settings).sasl).toEqual({
      mechanism: 'oauthbearer',
      client: {
        tokenUrl: 'https://login.example.com/token',
        clientId: 'assay',
        clientSecret: 'secret-of-the-client',
        scope: 'kafka',
      },
    });
    for (const missing of ['TOKEN_URL', 'CLIENT_ID', 'CLIENT_SECRET'])
      expect(() => optionsOf({ ...settings, [`KAFKA_OAUTH_${missing}`]: '' })).toThrow(
        'KAFKA_SASL_MECHANISM=oauthbearer needs KAFKA_OAUTH_TOKEN_URL, KAFKA_OAUTH_CLIENT_ID and KAFKA_OAUTH_CLIENT_SECRET',
      );
  });

  it.each([
    [{ AWS_ACCESS_KEY_ID: 'AKID', AWS_SECRET_ACCESS_KEY: 'secret' }],
    [{ AWS_ROLE_ARN: 'arn:aws:iam::1:role/assay', AWS_WEB_IDENTITY_TOKEN_FILE: '/var/run/token' }],
    [{ AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://169.254.170.23/v1/credentials' }],
  ])('have a source of credentials of AWS: %p', (credentials) => {
    const settings = { KAFKA_SASL_MECHANISM: 'aws-msk-iam', AWS_REGION: 'eu-central-1', ...credentials };
    expect(optionsOf(settings).sasl).toMatchObject({ source: { region: 'eu-central-1' } });
    expect(() => optionsOf({ ...settings, AWS_REGION: '' })).toThrow('needs AWS_REGION');
    const [first = ''] = Object.keys(credentials);
    expect(() => optionsOf({ ...settings, [first]: '' })).toThrow('KAFKA_SASL_MECHANISM=aws-msk-iam needs');
  });
});

function fail(phrase: string): never {
  throw new Error(phrase);
}
