import type { RequestListener } from 'node:http';
import request, { type Test } from 'supertest';

export const ORIGIN = 'http://localhost:8090';
/** Headers of a page of the console. */
export const FROM_PAGE = { Host: 'localhost:8090', 'Sec-Fetch-Site': 'same-origin' };

export type Headers = Readonly<Record<string, string>>;

/** Signs in and returns the response. */
export function signIn(listener: RequestListener, body: object, headers: Headers = {}): Test {
  return request(listener)
    .post('/console/session')
    .set({ ...FROM_PAGE, ...headers })
    .send(body);
}

/** Returns the cookie that a response sets, as a browser sends it. */
export function cookieFrom({ headers }: { readonly headers: Record<string, unknown> }): string {
  const [cookie = ''] = [headers['set-cookie'] ?? []].flat() as string[];
  return cookie.split(';')[0] ?? '';
}

/** Signs in and returns the cookie. */
export async function cookieOf(
  listener: RequestListener,
  body: object,
  headers: Headers = {},
): Promise<string> {
  return cookieFrom(await signIn(listener, body, headers));
}
