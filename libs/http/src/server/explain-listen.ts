import { StartError, systemErrorCode } from '@assay/runtime';

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
  /** Setting of the port, which the message names. */
  readonly setting: string;
  /** End of the message: what else the operator may do. */
  readonly advice?: string;
}

/** Opens a server. @throws StartError when the address is not available */
export async function explainListen<T>(
  { host, port, setting, advice = '' }: ListenAddress,
  open: () => Promise<T>,
): Promise<T> {
  try {
    return await open();
  } catch (cause) {
    const code = systemErrorCode(cause) ?? '';
    const reason = LISTEN_FAILURES[code] ?? String(cause);
    const hint = code === 'EADDRINUSE' ? `; ${setting} names another one${advice}` : '';
    throw new StartError(`cannot listen on ${host}:${port}, ${reason}${hint}`, { cause });
  }
}

const LISTEN_FAILURES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is already in use',
  EACCES: 'the port is reserved for the administrator of this machine',
  EADDRNOTAVAIL: 'this machine does not have the address',
  ENOTFOUND: 'this machine does not have the address',
};
