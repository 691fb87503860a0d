import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SASLOptions } from 'kafkajs';
import { startTokenService, unsignedToken, type TokenService } from '../../../test/token-service.js';
import { saslOptions, type SaslCredentials } from './sasl-options.js';
import { signMskUrl } from './sign-msk-url.js';

const SECRET = 'secret of the client: ü+&';
const dir = mkdtempSync(join(tmpdir(), 'assay-tokens-'));
const tokenFile = join(dir, 'token');
let service: TokenService;

beforeEach(async () => {
  service = await startTokenService();
  writeFileSync(tokenFile, 'token-of-the-account\n');
});
afterEach(() => service.close());
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Returns the token that connections would show. */
function tokenOf(credentials: SaslCredentials): Promise<string> {
  const options: SASLOptions = saslOptions(credentials);
  if (options.mechanism !== 'oauthbearer') throw new Error('there is no token');
  return options.oauthBearerProvider().then(({ value }) => value);
}

describe('a token by client credentials', () => {
  const clientOf = (changes: object = {}): SaslCredentials => ({
    mechanism: 'oauthbearer',
    client: { tokenUrl: `${service.url}/token`, clientId: 'assay:1', clientSecret: SECRET, ...changes },
  });

  it('is what the endpoint gives for the client, its scope and its audience', async () => {
    service.respondWith((_, response) => void response.end('{"access_token": "abc", "expires_in": 60}'));
    expect(await tokenOf(clientOf({ scope: 'kafka write', audience: 'brokers' }))).toBe('abc');
    const [request] = service.requests;
    expect(request).toMatchObject({
      method: 'POST',
      url: '/token',
      form: { grant_type: 'client_credentials', scope: 'kafka write', audience: 'brokers' },
    });
    const basic = Buffer.from(
      String(request?.headers.authorization).slice('Basic '.length),
      'base64',
    ).toString();
    expect(basic.split(':').map((part) => new URLSearchParams(`v=${part}`).get('v'))).toEqual([
      'assay:1',
      SECRET,
    ]);
  });

  it.each([400, 401, 403])(
    'is refused permanently with status %i, without a word of the response',
    async (status) => {
      service.respondWith((_, response) => void response.writeHead(status).end(`{"error": "${SECRET}"}`));
      await expect(tokenOf(clientOf())).rejects.toMatchObject({
        name: 'TokenRefusedError',
        message: `the token endpoint of Kafka refuses the client with status ${status}`,
      });
    },
  );

  it.each([
    ['is unavailable', 503, 'busy'],
    ['redirects', 302, ''],
    ['responds without a token', 200, '{"token_type": "bearer"}'],
    ['responds with something else', 200, '<html>'],
    ['responds with too much', 200, 'x'.repeat(300_000)],
  ])('is asked for again when the endpoint %s', async (_, status, body) => {
    service.respondWith(
      (_request, response) => void response.writeHead(status, { location: '/other' }).end(body),
    );
    await expect(tokenOf(clientOf())).rejects.toMatchObject({ retriable: true });
    service.respondWith(
      (_request, response) => void response.end(`{"access_token": "${unsignedToken('assay')}"}`),
    );
    expect(await tokenOf(clientOf())).toContain('.');
  });

  it('is asked for again when the connection ends early', async () => {
    service.respondWith((_, response) => void response.destroy());
    await expect(tokenOf(clientOf())).rejects.toMatchObject({
      retriable: true,
      message: 'the endpoint for credentials of Kafka did not respond',
    });
  });
});

describe('a token of Amazon MSK', () => {
  const REGION = 'eu-central-1';
  const GIVEN = {
    AccessKeyId: 'AKGIVEN',
    SecretAccessKey: 'given secret',
    Token: 'given/token+=',
    Expiration: '2099-01-01T00:00:00Z',
  };
  const signedBy = (token: string) => new URL(Buffer.from(token, 'base64url').toString());

  it('is a presigned URL, signed as AWS documents it', () => {
    const credentials = {
      accessKeyId: 'AKIDEXAMPLE',
      secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
    };
    const now = Date.UTC(2026, 10, 26, 12, 30, 15);
    const { value, expiresAt } = signMskUrl(REGION, { ...credentials, sessionToken: 'a/b+c=' }, now);
    const { host, searchParams } = signedBy(value);
    expect(expiresAt).toBe(now + 900_000);
    expect(host).toBe('kafka.eu-central-1.amazonaws.com');
    expect(Object.fromEntries(searchParams)).toEqual({
      Action: 'kafka-cluster:Connect',
      'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
      'X-Amz-Credential': 'AKIDEXAMPLE/20261126/eu-central-1/kafka-cluster/aws4_request',
      'X-Amz-Date': '20261126T123015Z',
      'X-Amz-Expires': '900',
      'X-Amz-Security-Token': 'a/b+c=',
      'X-Amz-SignedHeaders': 'host',
      'X-Amz-Signature': '2f2084c04b47e9fad15cce5a4daabc3bb8f6ac89f9754d136020df91a1f9b992',
      'User-Agent': 'assay',
    });
  });

  it('expires with the credentials that signed it', () => {
    const credentials = { accessKeyId: 'a', secretAccessKey: 'b', expiresAt: 1_000_300_000 };
    expect(signMskUrl(REGION, credentials, 1_000_000_000).expiresAt).toBe(1_000_300_000);
  });

  it('is signed with a key of the configuration', async () => {
    const source = { region: REGION, accessKeyId: 'AKOWN', secretAccessKey: 'own secret' };
    const url = signedBy(await tokenOf({ mechanism: 'aws-msk-iam', source }));
    expect(url.searchParams.get('X-Amz-Credential')).toMatch(/^AKOWN\//);
    expect(service.requests).toEqual([]);
  });

  it('is signed with the role of a service account', async () => {
    const { AccessKeyId, SecretAccessKey, Token, Expiration } = GIVEN;
    const credentials = Object.entries({ AccessKeyId, SecretAccessKey, SessionToken: Token, Expiration })
      .map(([name, value]) => `<${name}>${value}</${name}>`)
      .join('\n');
    service.respondWith((_, response) => void response.end(`<Credentials>${credentials}</Credentials>`));
    const source = {
      region: REGION,
      roleArn: 'arn:aws:iam::1:role/assay',
      webIdentityTokenFile: tokenFile,
      stsUrl: service.url,
    };
    const url = signedBy(await tokenOf({ mechanism: 'aws-msk-iam', source }));
    expect(url.searchParams.get('X-Amz-Security-Token')).toBe(Token);
    expect(service.requests[0]?.form).toEqual({
      Action: 'AssumeRoleWithWebIdentity',
      Version: '2011-06-15',
      RoleArn: 'arn:aws:iam::1:role/assay',
      RoleSessionName: 'assay',
      WebIdentityToken: 'token-of-the-account',
    });
  });

  it('is signed with the credentials of a pod', async () => {
    service.respondWith((_, response) => void response.end(JSON.stringify(GIVEN)));
    const source = {
      region: REGION,
      containerCredentialsUrl: `${service.url}/v1/credentials`,
      containerTokenFile: tokenFile,
    };
    const url = signedBy(await tokenOf({ mechanism: 'aws-msk-iam', source }));
    expect(url.searchParams.get('X-Amz-Credential')).toMatch(/^AKGIVEN\//);
    expect(service.requests[0]).toMatchObject({
      method: 'GET',
      headers: { authorization: 'token-of-the-account' },
    });
  });

  it.each([
    [403, 'TokenRefusedError'],
    [429, 'KafkaJSConnectionError'],
    [500, 'KafkaJSConnectionError'],
  ])('of credentials that are answered with status %i fails as %s', async (status, name) => {
    service.respondWith((_, response) => void response.writeHead(status).end('given secret'));
    const source = { region: REGION, containerCredentialsUrl: service.url };
    await expect(tokenOf({ mechanism: 'aws-msk-iam', source })).rejects.toMatchObject({
      name,
      message: `the credentials of AWS were not given, with status ${status}`,
    });
  });

  it('is refused when the file of the service account is missing', async () => {
    const source = { region: REGION, roleArn: 'arn', webIdentityTokenFile: join(dir, 'missing') };
    await expect(tokenOf({ mechanism: 'aws-msk-iam', source })).rejects.toMatchObject({
      name: 'TokenRefusedError',
    });
  });
});
