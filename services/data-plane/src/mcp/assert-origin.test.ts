import { makeIsAllowedOrigin } from '@assay/http';
import { makeAssertOrigin } from './assert-origin.js';

describe('the origin of a request of an agent', () => {
  const assertOrigin = makeAssertOrigin(makeIsAllowedOrigin(['https://*.example.com']));

  it.each([
    undefined,
    'http://localhost:6274',
    'http://127.0.0.1',
    'https://[::1]:8443',
    'https://app.example.com',
  ])('may be %s', (origin) => {
    expect(() => assertOrigin(origin)).not.toThrow();
  });

  it.each([
    'null',
    '',
    'http://attacker.example.org:8090',
    'http://localhost.example.org',
    'http://127.0.0.1.example.org',
    'http://127.0.0.1@example.org',
    'http://0.0.0.0:8090',
  ])('may not be %s', (origin) => {
    expect(() => assertOrigin(origin)).toThrow('the Origin header names no page');
  });
});
