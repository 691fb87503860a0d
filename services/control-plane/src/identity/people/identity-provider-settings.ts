import { text } from '@assay/runtime';

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
} as const;
