import { readFileSync } from 'node:fs';
import { isKeyOf, PemFile } from './pem-file.js';

/** Values of settings by name. */
type Values = ReadonlyMap<string, unknown>;

const SUFFIX = /_(CLIENT_CA|CA|CERT|KEY)_FILE$/;

/**
 * Returns a sentence for each combination of settings that cannot work: a certificate without its key, a key of another
 * certificate, authorities of clients on a port without TLS, and files for a connection that does not use TLS.
 * @param values by the names of the settings; only files that could be read
 */
export function tlsProblems(values: Values): string[] {
  const files = [...values.values()].filter((value) => value instanceof PemFile);
  const prefixes = new Set(files.map(({ setting }) => setting.replace(SUFFIX, '')));
  return [...prefixes].flatMap((prefix) => [
    ...pairProblems(prefix, values),
    ...files
      .filter(({ setting }) => setting.replace(SUFFIX, '') === prefix)
      .flatMap(({ setting }) => unusedProblem(setting, prefix, values)),
  ]);
}

function pairProblems(prefix: string, values: Values): string[] {
  const [certName, keyName] = [`${prefix}_CERT_FILE`, `${prefix}_KEY_FILE`];
  const [cert, key] = [values.get(certName), values.get(keyName)];
  if (cert instanceof PemFile && key instanceof PemFile)
    return matches(cert, key) ? [] : [`${keyName} is not the key of the first certificate in ${certName}`];
  const hasOne = cert instanceof PemFile || key instanceof PemFile;
  // A file that could not be read has a sentence already.
  const areKnown = values.has(certName) && values.has(keyName);
  if (hasOne && areKnown) return [`${certName} and ${keyName} must be set together`];
  const clientCa = values.get(`${prefix}_CLIENT_CA_FILE`);
  return clientCa instanceof PemFile && areKnown && !hasOne
    ? [`${prefix}_CLIENT_CA_FILE needs ${certName} and ${keyName}`]
    : [];
}

function matches(cert: PemFile, key: PemFile): boolean {
  try {
    return isKeyOf(readFileSync(cert.path, 'utf8'), readFileSync(key.path, 'utf8'));
  } catch {
    return false;
  }
}

function unusedProblem(setting: string, prefix: string, values: Values): string[] {
  if (values.get(`${prefix}_TLS`) === false) return [`${setting} needs ${prefix}_TLS=true`];
  const url = values.get(`${prefix}_URL`);
  return typeof url === 'string' && /^http:/i.test(url)
    ? [`${setting} needs an https address in ${prefix}_URL`]
    : [];
}
