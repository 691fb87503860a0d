import { StartError, type ConfigOf, type Logger, type Metrics } from '@assay/runtime';
import type { IdentityProvider } from './people.js';
import { readGroupsFile } from './groups-file.js';
import type { identityProviderSettings } from './identity-provider-settings.js';
import { makeSignInClient, type ClientOfProvider } from './sign-in-client.js';
import { makeVerifyToken } from './verify-token.js';

type Config = ConfigOf<typeof identityProviderSettings>;

/**
 * Returns the identity provider that the settings name; undefined when they name none. It is asked for its keys with the first token.
 * @throws StartError when settings are missing or the file of the groups is not valid
 */
export function openIdentityProvider(
  config: Config,
  { logger, metrics }: { readonly logger: Pick<Logger, 'warn'>; readonly metrics: Metrics },
): IdentityProvider | undefined {
  const { oidcIssuer: issuer, oidcAudience: audience, oidcGroupsFile: file, oidcGroupsClaim } = config;
  const hasClient = config.oidcClientId !== undefined || config.oidcClientSecret !== undefined;
  if (issuer === undefined && audience === undefined && file === undefined && !hasClient) return undefined;
  if (issuer === undefined || audience === undefined || file === undefined)
    throw invalid('OIDC_ISSUER, OIDC_AUDIENCE and OIDC_GROUPS_FILE are only valid together');
  if (!/^https?:$/.test(URL.canParse(issuer) ? new URL(issuer).protocol : ''))
    throw invalid('OIDC_ISSUER must be an http or https URL');
  const client = clientOf(config, issuer);
  const refusals = metrics.counter(
    'assay_oidc_refused_tokens_total',
    'Tokens of the identity provider that were refused',
    ['reason'],
  );
  const verify = makeVerifyToken({
    ...{ issuer, now: () => new Date() },
    onFailure: (cause) => logger.warn('the keys of the identity provider cannot be read', {}, cause),
  });
  return {
    rules: readGroupsFile(file),
    groupsClaim: oidcGroupsClaim,
    onRefusal: (reason) => refusals.inc({ reason }),
    verify: (token) => verify(token, audience),
    signIn:
      client &&
      makeSignInClient({ ...client, verify, onFailure: (phrase, cause) => logger.warn(phrase, {}, cause) }),
  };
}

function clientOf(
  { oidcClientId: clientId, oidcClientSecret: clientSecret, oidcScopes }: Config,
  issuer: string,
): ClientOfProvider | undefined {
  if (clientId === undefined && clientSecret === undefined) return undefined;
  if (clientId === undefined) throw invalid('OIDC_CLIENT_SECRET needs OIDC_CLIENT_ID');
  const scopes = oidcScopes.split(' ').filter((scope) => scope !== '');
  if (!scopes.includes('openid')) throw invalid('OIDC_SCOPES must have the scope openid');
  return { issuer, clientId, clientSecret, scope: scopes.join(' ') };
}

function invalid(message: string): StartError {
  return new StartError(message, { exitCode: 78 });
}
