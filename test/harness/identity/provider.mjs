// An identity provider of its own process, by the library oidc-provider. Its clients are people, who get signed tokens with their claims.
import { Provider } from 'oidc-provider';

const { issuer, port, key, people } = JSON.parse(process.env.PROVIDER ?? '{}');
const secret = 'secret-of-every-person-of-the-test';

const provider = new Provider(issuer, {
  jwks: { keys: [key] },
  clients: Object.keys(people).map((client_id) => ({
    client_id,
    client_secret: secret,
    grant_types: ['client_credentials'],
    redirect_uris: [],
    response_types: [],
    token_endpoint_auth_method: 'client_secret_post',
  })),
  features: {
    clientCredentials: { enabled: true },
    devInteractions: { enabled: false },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: (_context, resource) => ({
        scope: '',
        audience: new URL(resource).hostname,
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: 'RS256' } },
      }),
    },
  },
  extraTokenClaims: (_context, token) => people[token.clientId],
});
provider.listen(port, '127.0.0.1', () => process.send?.('listening'));
