import type { SASLOptions } from 'kafkajs';
import { fetchAwsCredentials, type AwsCredentialSource } from './aws-credentials.js';
import { fetchClientToken, type OauthClient } from './client-credentials.js';
import { makeRefreshedToken, type AccessToken } from './refreshed-token.js';
import { signMskUrl } from './sign-msk-url.js';

/** How a process proves to the brokers who it is. */
export type SaslCredentials =
  | {
      readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
      readonly username: string;
      readonly password: string;
    }
  | { readonly mechanism: 'oauthbearer'; readonly client: OauthClient }
  | { readonly mechanism: 'aws-msk-iam'; readonly source: AwsCredentialSource };

/** Returns the options of kafkajs. Amazon MSK takes a signed URL by OAUTHBEARER. */
export function saslOptions(credentials: SaslCredentials): SASLOptions {
  switch (credentials.mechanism) {
    case 'oauthbearer':
      return byToken(() => fetchClientToken(credentials.client, Date.now));
    case 'aws-msk-iam': {
      const { source } = credentials;
      return byToken(async () => signMskUrl(source.region, await fetchAwsCredentials(source), Date.now()));
    }
    default:
      return credentials;
  }
}

function byToken(fetchToken: () => Promise<AccessToken>): SASLOptions {
  const token = makeRefreshedToken({ fetchToken, now: Date.now });
  return { mechanism: 'oauthbearer', oauthBearerProvider: async () => ({ value: await token() }) };
}
