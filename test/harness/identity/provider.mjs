// An identity provider of its own process, by the library oidc-provider. People are clients, who get signed tokens with their claims, and accounts
// that sign in on a page with their name alone.
import { Provider } from 'oidc-provider';

const { issuer, port, key, people, callback } = JSON.parse(process.env.PROVIDER ?? '{}');
const secret = 'secret-of-every-person-of-the-test';
const FORM = `<!doctype html><title>Company account</title>
<form method="post"><label>Name <input name="login"></label><button>Continue</button></form>`;

const clientsOfPeople = Object.keys(people).map((client_id) => ({
  client_id,
  client_secret: secret,
  grant_types: ['client_credentials'],
  redirect_uris: [],
  response_types: [],
  token_endpoint_auth_method: 'client_secret_post',
}));
// Native clients may be sent back to any port of the loopback.
const clientOfConsole = {
  application_type: 'native',
  redirect_uris: [`http://127.0.0.1${callback}`],
  grant_types: ['authorization_code'],
  response_types: ['code'],
};
const provider = new Provider(issuer, {
  jwks: { keys: [key] },
  cookies: { keys: ['key-of-the-cookies-of-the-test'] },
  clients: [
    ...clientsOfPeople,
    { ...clientOfConsole, client_id: 'console', token_endpoint_auth_method: 'none' },
    { ...clientOfConsole, client_id: 'console-of-a-secret', client_secret: secret },
  ],
  scopes: ['openid', 'groups'],
  claims: { openid: ['sub'], profile: ['name', 'preferred_username'], email: ['email'], groups: ['groups'] },
  conformIdTokenClaims: false,
  ttl: { IdToken: 600, Interaction: 600, Session: 600, Grant: 600, AccessToken: 600 },
  findAccount: (_context, accountId) => ({
    accountId,
    claims: () => ({ sub: accountId, ...people[accountId] }),
  }),
  interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
  // No person is asked whether the console may know who they are.
  loadExistingGrant: async ({ oidc }) => {
    const grant = new oidc.provider.Grant({
      clientId: oidc.client.clientId,
      accountId: oidc.session.accountId,
    });
    grant.addOIDCScope('openid profile email groups');
    await grant.save();
    return grant;
  },
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
provider.use(async (context, next) => {
  if (!context.path.startsWith('/interaction/')) return next();
  const { req, res } = context;
  if (context.method === 'GET') {
    context.type = 'html';
    context.body = FORM;
    return undefined;
  }
  let body = '';
  for await (const part of req) body += part;
  const login = new URLSearchParams(body).get('login');
  context.respond = false;
  const result = login ? { login: { accountId: login }, consent: {} } : { error: 'access_denied' };
  return provider.interactionFinished(req, res, result);
});
provider.listen(port, '127.0.0.1', () => process.send?.('listening'));
