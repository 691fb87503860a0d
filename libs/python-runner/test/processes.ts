import { readdirSync, readFileSync } from 'node:fs';
import { waitFor } from '@assay/testing';

/** A fork server, and its child that waits for the next call. */
export interface ServerAndChild {
  readonly server: number;
  readonly child: number;
}

/** Returns the fork server that this process has started last, when its child is ready. */
export function readyProcesses(): Promise<ServerAndChild> {
  return waitFor('a process is ready for the next call', () => {
    const found = childrenOf(process.pid).flatMap((server) =>
      childrenOf(server).map((child) => ({ server, child })),
    );
    return found.find(({ child }) => stateOf(child) === 'S');
  });
}

/** Letter of proc(5): `Z` for a process that has ended; undefined when there is no such process. */
export function stateOf(pid: number): string | undefined {
  return fieldsOf(pid)?.[0];
}

/** CPU time of a process; undefined when there is no such process. */
export function ranMs(pid: number): number | undefined {
  const schedstat = read(`/proc/${pid}/schedstat`);
  return schedstat === undefined ? undefined : Number(schedstat.split(' ')[0]) / 1e6;
}

function childrenOf(parent: number): number[] {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return ids.map(Number).filter((id) => Number(fieldsOf(id)?.[1]) === parent);
}

/** Fields of `stat` that follow the name of the program. */
function fieldsOf(pid: number): string[] | undefined {
  return read(`/proc/${pid}/stat`)?.split(') ').at(-1)?.split(' ');
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
