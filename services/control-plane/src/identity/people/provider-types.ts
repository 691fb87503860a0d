import type * as jose from 'jose' with { 'resolution-mode': 'import' };

export type JSONWebKeySet = jose.JSONWebKeySet;
export type LocalJWKSet = (
  ...[header, input]: Parameters<ReturnType<typeof jose.createLocalJWKSet>>
) => Promise<jose.CryptoKey>;
