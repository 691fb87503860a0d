import type { Server } from 'node:tls';
import type { TlsFiles } from '@assay/runtime';

const MIN_VERSION = 'TLSv1.2';

/** Returns the options of a server with TLS. With authorities of client certificates, clients need one. */
export function tlsServerOptions(tls: TlsFiles, handshakeMs: number) {
  const { ca, cert, key } = tls.latest();
  const requiresClientCertificate = ca !== undefined;
  return {
    ca,
    cert,
    key,
    requestCert: requiresClientCertificate,
    rejectUnauthorized: requiresClientCertificate,
    handshakeTimeout: handshakeMs,
    minVersion: MIN_VERSION,
  } as const;
}

/** Lets a server use the files as they are on disk, also after they were replaced. */
export function followTlsFiles(server: Server, tls: TlsFiles, checkMs?: number): void {
  const stop = tls.watch((read) => server.setSecureContext({ ...read, minVersion: MIN_VERSION }), checkMs);
  server.once('close', stop);
}
