import { readFile } from 'node:fs/promises';

/** Tables of the TCP connections of this network namespace, see proc(5). */
const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];
/** `sl local_address rem_address st tx_queue:rx_queue …`, in hexadecimal. */
const LINE = /^\s*\d+: [0-9A-F]+:([0-9A-F]{4}) [0-9A-F]+:([0-9A-F]{4}) [0-9A-F]{2} ([0-9A-F]{8}):/;

/** Bytes that the kernel has accepted for connections and their peers have not acknowledged. */
export interface KernelQueues {
  /** Those of the connections between two ports; 0 when there is none. */
  bytesOf(localPort: number | undefined, remotePort: number | undefined): number;
}

/** Reads what the connections of a local port have in the kernel. @returns undefined where the system does not say */
export async function readKernelQueues(localPort: number): Promise<KernelQueues | undefined> {
  try {
    const texts = await Promise.all(TABLES.map((table) => readFile(table, 'latin1')));
    const bytes = new Map<string, number>();
    for (const text of texts) addQueues(text, localPort, bytes);
    return { bytesOf: (local, remote) => bytes.get(`${local} ${remote}`) ?? 0 };
  } catch {
    return undefined;
  }
}

function addQueues(text: string, localPort: number, bytes: Map<string, number>): void {
  const port = `:${localPort.toString(16).toUpperCase().padStart(4, '0')} `;
  for (const line of text.split('\n')) {
    if (!line.includes(port)) continue;
    const [, local, remote, queue] = LINE.exec(line) ?? [];
    if (local === undefined || remote === undefined || queue === undefined) continue;
    const key = `${Number.parseInt(local, 16)} ${Number.parseInt(remote, 16)}`;
    bytes.set(key, (bytes.get(key) ?? 0) + Number.parseInt(queue, 16));
  }
}
