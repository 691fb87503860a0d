import { secret, text } from '@assay/runtime';

/** Settings of a process that authenticates people by the identity provider of the company. */
export const identityProviderSettings = {
  oidcIssuer: text('OIDC_ISSUER', {
    description:
      'Issuer of the tokens of people, exactly as the identity provider states it; needs `OIDC_AUDIENCE` and `OIDC_GROUPS_FILE`',
  }),
  oidcAudience: text('OIDC_AUDIENCE', { description: 'Audience that a token of a person must have' }),
  oidcGroupsClaim: text('OIDC_GROUPS_CLAIM', {
    default: 'groups',
    description:
      'Claim with the groups of a person, or its path through objects, such as `realm_access.roles`',
  }),
  oidcGroupsFile: text('OIDC_GROUPS_FILE', {
    description: 'JSON file with the permissions of each group in each project, read at the start',
  }),
  oidcClientId: text('OIDC_CLIENT_ID', {
    description:
      'Client of the console at the identity provider, with which people sign in; needs the others',
  }),
  oidcClientSecret: secret('OIDC_CLIENT_SECRET', {
    description: 'Secret of the client; without it, it is a public client, which proves itself by PKCE',
  }),
  oidcScopes: text('OIDC_SCOPES', {
    default: 'openid profile email',
    description:
      'Scopes that the console asks for; some providers state the groups only with another one, such as `groups`',
  }),
} as const;
