import { readFile } from 'node:fs/promises';
import { callEndpoint, objectIn, type EndpointResponse } from './call-endpoint.js';
import { TokenRefusedError } from './refreshed-token.js';
import type { AwsCredentials } from './sign-msk-url.js';

/** Where credentials of AWS come from, by the names that its SDKs read: the first that is complete is used. */
export interface AwsCredentialSource {
  readonly region: string;
  readonly accessKeyId?: string | undefined;
  readonly secretAccessKey?: string | undefined;
  readonly sessionToken?: string | undefined;
  /** A role and the file of a token of the service account (EKS: IAM roles for service accounts). */
  readonly roleArn?: string | undefined;
  readonly webIdentityTokenFile?: string | undefined;
  /** Endpoint of STS; absent: that of the region. */
  readonly stsUrl?: string | undefined;
  /** Endpoint in the node, and a file with the token for it (EKS Pod Identity, ECS). */
  readonly containerCredentialsUrl?: string | undefined;
  readonly containerTokenFile?: string | undefined;
}

const SESSION_NAME = 'assay';
const FIELD = (name: string) => new RegExp(`<${name}>([^<]+)</${name}>`);

/** @throws TokenRefusedError when they are refused or none are configured, Error when the endpoint does not respond */
export async function fetchAwsCredentials(source: AwsCredentialSource): Promise<AwsCredentials> {
  const { accessKeyId, secretAccessKey, sessionToken, containerCredentialsUrl: url } = source;
  if (accessKeyId && secretAccessKey) return { accessKeyId, secretAccessKey, sessionToken };
  const { roleArn, webIdentityTokenFile } = source;
  if (roleArn && webIdentityTokenFile) return assumeRole(source, roleArn, webIdentityTokenFile);
  if (url) return ofContainer(url, source.containerTokenFile);
  throw new TokenRefusedError('there are no credentials of AWS');
}

async function assumeRole(
  { region, stsUrl = `https://sts.${region}.amazonaws.com` }: AwsCredentialSource,
  roleArn: string,
  tokenFile: string,
): Promise<AwsCredentials> {
  const form = new URLSearchParams({
    Action: 'AssumeRoleWithWebIdentity',
    Version: '2011-06-15',
    RoleArn: roleArn,
    RoleSessionName: SESSION_NAME,
    WebIdentityToken: await tokenIn(tokenFile),
  });
  const response = await callEndpoint({
    method: 'POST',
    url: stsUrl,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
  });
  assertGiven(response);
  const field = (name: string) => FIELD(name).exec(response.text)?.[1];
  return complete(field('AccessKeyId'), field('SecretAccessKey'), {
    token: field('SessionToken'),
    expiration: field('Expiration'),
  });
}

async function ofContainer(url: string, tokenFile: string | undefined): Promise<AwsCredentials> {
  const headers: Record<string, string> =
    tokenFile === undefined ? {} : { authorization: await tokenIn(tokenFile) };
  const response = await callEndpoint({ method: 'GET', url, headers });
  assertGiven(response);
  const found = objectIn(response.text);
  const field = (name: string) => (typeof found[name] === 'string' ? found[name] : undefined);
  return complete(field('AccessKeyId'), field('SecretAccessKey'), {
    token: field('Token'),
    expiration: field('Expiration'),
  });
}

function assertGiven({ status }: EndpointResponse): void {
  if (status === 200) return;
  const isRefusal = status >= 400 && status < 500 && status !== 429;
  const message = `the credentials of AWS were not given, with status ${status}`;
  throw isRefusal ? new TokenRefusedError(message) : new Error(message);
}

function complete(
  accessKeyId: string | undefined,
  secretAccessKey: string | undefined,
  session: { readonly token: string | undefined; readonly expiration: string | undefined },
): AwsCredentials {
  if (!accessKeyId || !secretAccessKey || !session.token)
    throw new Error('the response with credentials of AWS is incomplete');
  const expiresAt = Date.parse(session.expiration ?? '');
  const expiry = Number.isNaN(expiresAt) ? {} : { expiresAt };
  return { accessKeyId, secretAccessKey, sessionToken: session.token, ...expiry };
}

/** The file is read each time, because it is replaced before the token in it expires. */
async function tokenIn(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    throw new TokenRefusedError('the file with a token for credentials of AWS cannot be read', {
      cause: error,
    });
  }
}
