import { CookieJar } from './cookie-jar.js';

const CALLBACK = '/console/session/provider/callback';

/**
 * Signs in on the pages of the provider, as a browser, and returns the address of the console that it is sent back to, without opening it.
 * @param address where the console has sent the browser to
 * @param person name to sign in with; empty: the person refuses
 */
export async function signInAtProvider(address: string, person: string): Promise<string> {
  const jar = new CookieJar();
  let url = address;
  for (let step = 0; step < 10; step++) {
    const isPage = new URL(url).pathname.startsWith('/interaction/');
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: jar.header() },
      ...(isPage && { method: 'POST', body: new URLSearchParams({ login: person }) }),
    });
    jar.take(response);
    const location = response.headers.get('location');
    if (location === null) throw new Error(`the provider responded with status ${response.status}`);
    url = new URL(location, url).href;
    if (new URL(url).pathname === CALLBACK) return url;
  }
  throw new Error('the provider never sent the browser back');
}
