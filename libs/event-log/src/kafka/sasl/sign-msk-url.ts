import { createHash, createHmac } from 'node:crypto';
import type { AccessToken } from './refreshed-token.js';

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
  /** Unix milliseconds; absent for keys that do not expire. */
  readonly expiresAt?: number | undefined;
}

/** Life of a signed URL; Amazon MSK accepts at most 900 s. */
const LIFE_S = 900;
const ALGORITHM = 'AWS4-HMAC-SHA256';
const SERVICE = 'kafka-cluster';
const USER_AGENT = 'assay';

/**
 * Returns the token that Amazon MSK accepts by OAUTHBEARER: the base64url of a presigned URL for the action `kafka-cluster:Connect`.
 * Source: AWS documentation, "Signature Version 4 for query string authentication" and "IAM access control" of Amazon MSK.
 * @param now Unix milliseconds
 */
export function signMskUrl(region: string, credentials: AwsCredentials, now: number): AccessToken {
  const host = `kafka.${region}.amazonaws.com`;
  const time = new Date(now).toISOString().replace(/[-:]|\.\d{3}/g, '');
  const day = time.slice(0, 8);
  const scope = `${day}/${region}/${SERVICE}/aws4_request`;
  const query = canonicalQuery({
    Action: 'kafka-cluster:Connect',
    'X-Amz-Algorithm': ALGORITHM,
    'X-Amz-Credential': `${credentials.accessKeyId}/${scope}`,
    'X-Amz-Date': time,
    'X-Amz-Expires': String(LIFE_S),
    ...(credentials.sessionToken !== undefined && { 'X-Amz-Security-Token': credentials.sessionToken }),
    'X-Amz-SignedHeaders': 'host',
  });
  const canonical = ['GET', '/', query, `host:${host}`, '', 'host', sha256('')].join('\n');
  const toSign = [ALGORITHM, time, scope, sha256(canonical)].join('\n');
  const key = [day, region, SERVICE, 'aws4_request'].reduce<Buffer>(
    (secret, part) => hmac(secret, part),
    Buffer.from(`AWS4${credentials.secretAccessKey}`),
  );
  const signature = hmac(key, toSign).toString('hex');
  const url = `https://${host}/?${query}&X-Amz-Signature=${signature}&User-Agent=${USER_AGENT}`;
  const ownEnd = now + LIFE_S * 1_000;
  return {
    value: Buffer.from(url).toString('base64url'),
    expiresAt: Math.min(ownEnd, credentials.expiresAt ?? ownEnd),
  };
}

function canonicalQuery(parameters: Readonly<Record<string, string>>): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&');
}

/** Percent-encoding of RFC 3986. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
