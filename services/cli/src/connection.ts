import { readFileSync } from 'node:fs';
import { CliError } from './cli-error.js';

/** What a TLS connection trusts and shows; everything is optional. */
export interface TlsOptions {
  /** Authorities of the server's certificate, in PEM form, in place of those of Node. */
  readonly ca?: Buffer;
  /** Client certificate with its chain, and its key. */
  readonly cert?: Buffer;
  readonly key?: Buffer;
  /** Name that the server's certificate must have, in place of the host of the address. */
  readonly servername?: string;
}

/** Options that every command accepts, and the variables that set them. An option takes precedence. */
export const TLS_FLAGS = [
  ['--ca <file>', 'ASSAY_CA_FILE', 'authorities of the certificate of Assay, in PEM form'],
  ['--cert <file>', 'ASSAY_CLIENT_CERT_FILE', 'client certificate, where the port requires one'],
  ['--key <file>', 'ASSAY_CLIENT_KEY_FILE', 'private key of the client certificate'],
  [
    '--server-name <name>',
    'ASSAY_SERVER_NAME',
    'name in the certificate of Assay, when it differs from the host',
  ],
] as const;

export interface TlsFlags {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly serverName?: string;
}

/** @throws CliError when a file cannot be read, or a certificate has no key */
export function readTls(
  flags: TlsFlags,
  environment: Readonly<Record<string, string | undefined>>,
): TlsOptions {
  const cert = flags.cert ?? environment.ASSAY_CLIENT_CERT_FILE;
  const key = flags.key ?? environment.ASSAY_CLIENT_KEY_FILE;
  if ((cert === undefined) !== (key === undefined))
    throw new CliError('a client certificate needs --cert and --key');
  return {
    ca: read('--ca', flags.ca ?? environment.ASSAY_CA_FILE),
    cert: read('--cert', cert),
    key: read('--key', key),
    servername: flags.serverName ?? environment.ASSAY_SERVER_NAME,
  };
}

function read(flag: string, path: string | undefined): Buffer | undefined {
  if (path === undefined) return undefined;
  try {
    return readFileSync(path);
  } catch {
    throw new CliError(`the file of ${flag} cannot be read`);
  }
}
