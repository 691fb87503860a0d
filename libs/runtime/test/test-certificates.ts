import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Paths of a certificate and its private key, both in PEM form. */
export interface TestCertificate {
  readonly certFile: string;
  readonly keyFile: string;
}

export interface TestAuthority {
  /** Path of the authority's certificate in PEM form. */
  readonly caFile: string;
  /** Issues a certificate for `localhost` and `127.0.0.1`. An existing one of the same name is replaced. */
  issue(name: string): TestCertificate;
}

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '30'];

/** Creates a certificate authority in a folder. Needs `openssl` 3 on the path. */
export function createTestAuthority(dir: string, name: string): TestAuthority {
  const authority = create(dir, name, []);
  const signed = ['-CA', authority.certFile, '-CAkey', authority.keyFile];
  const leaf = [
    ['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'],
    ['-addext', 'basicConstraints=critical,CA:FALSE'],
    ['-addext', 'extendedKeyUsage=serverAuth,clientAuth'],
  ].flat();
  return {
    caFile: authority.certFile,
    issue: (issued) => create(dir, issued, [...signed, ...leaf]),
  };
}

function create(dir: string, name: string, options: readonly string[]): TestCertificate {
  const certFile = join(dir, `${name}.pem`);
  const keyFile = join(dir, `${name}.key`);
  const files = ['-subj', `/CN=${name}`, '-keyout', keyFile, '-out', certFile];
  execFileSync('openssl', ['req', '-x509', ...NEW_KEY, ...files, ...options], { stdio: 'pipe' });
  return { certFile, keyFile };
}
