import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { SettingProblem, text, type Setting } from './settings.js';

/** A PEM file that a setting names. It was readable and had the right content when the configuration was loaded. */
export class PemFile {
  constructor(
    /** Name of the setting, for messages. */
    readonly setting: string,
    readonly path: string,
  ) {}
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/** A file of one or more certificates: a chain that starts with the own one, or authorities. */
export function certificateFile(
  name: string,
  options: { description: string },
): Setting<PemFile | undefined> {
  return pemFile(name, options, (pem) => {
    if (certificatesOf(pem).length === 0) throw new SettingProblem('must name a PEM file with a certificate');
  });
}

/** A file with a private key that has no passphrase. */
export function keyFile(name: string, options: { description: string }): Setting<PemFile | undefined> {
  return pemFile(name, options, (pem) => {
    try {
      createPrivateKey(pem);
    } catch {
      throw new SettingProblem('must name a PEM file with a private key that has no passphrase');
    }
  });
}

/** Returns the certificates of a PEM text in its order; none when one of them is damaged. */
export function certificatesOf(pem: string): readonly X509Certificate[] {
  try {
    return (pem.match(CERTIFICATE) ?? []).map((one) => new X509Certificate(one));
  } catch {
    return [];
  }
}

/** Returns whether the key belongs to the first certificate. False when one of them is damaged or missing. */
export function isKeyOf(certificates: string, key: string): boolean {
  try {
    return certificatesOf(certificates)[0]?.checkPrivateKey(createPrivateKey(key)) ?? false;
  } catch {
    return false;
  }
}

function pemFile(
  name: string,
  options: { description: string },
  check: (pem: string) => void,
): Setting<PemFile | undefined> {
  const path = text(name, options);
  return {
    ...path,
    kind: 'PEM file',
    read: (value) => {
      const found = path.read(value);
      if (found === undefined) return undefined;
      check(readText(found));
      return new PemFile(name, found);
    },
  };
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new SettingProblem(`names a file that ${isMissing ? 'does not exist' : 'cannot be read'}`);
  }
}
