import { StartError, type ConfigOf, type Logger, type Metrics } from '@assay/runtime';
import type { IdentityProvider } from './authenticate-person.js';
import { readGroupsFile } from './groups-file.js';
import type { identityProviderSettings } from './identity-provider-settings.js';
import { makeVerifyToken } from './verify-token.js';

/**
 * Returns the identity provider that the settings name; undefined when they name none. It is asked for its keys with the first token.
 * @throws StartError when settings are missing or the file of the groups is not valid
 */
export function openIdentityProvider(
  config: ConfigOf<typeof identityProviderSettings>,
  { logger, metrics }: { readonly logger: Pick<Logger, 'warn'>; readonly metrics: Metrics },
): IdentityProvider | undefined {
  const { oidcIssuer: issuer, oidcAudience: audience, oidcGroupsFile: file, oidcGroupsClaim } = config;
  if (issuer === undefined && audience === undefined && file === undefined) return undefined;
  if (issuer === undefined || audience === undefined || file === undefined)
    throw new StartError('OIDC_ISSUER, OIDC_AUDIENCE and OIDC_GROUPS_FILE are only valid together', {
      exitCode: 78,
    });
  if (!/^https?:$/.test(URL.canParse(issuer) ? new URL(issuer).protocol : ''))
    throw new StartError('OIDC_ISSUER must be an http or https URL', { exitCode: 78 });
  const refusals = metrics.counter(
    'assay_oidc_refused_tokens_total',
    'Tokens of the identity provider that were refused',
    ['reason'],
  );
  return {
    rules: readGroupsFile(file),
    groupsClaim: oidcGroupsClaim,
    onRefusal: (reason) => refusals.inc({ reason }),
    verify: makeVerifyToken({
      ...{ issuer, audience, now: () => new Date() },
      onFailure: (cause) => logger.warn('the keys of the identity provider cannot be read', {}, cause),
    }),
  };
}
