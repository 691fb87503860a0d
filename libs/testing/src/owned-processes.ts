import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/**
 * Kills the processes whose ids it has read when its input closes, which the kernel does when the parent ends, however it ends.
 * `+12` adds a process, `-12` removes one that has ended. Runs in a session of its own, so that Ctrl-C reaches the parent first.
 */
const REAPER = `
trap '' INT TERM HUP
while read -r line; do
  pid=\${line#?}
  case $line in
    +*) pids="$pids $pid" ;;
    -*) kept=; for one in $pids; do [ "$one" = "$pid" ] || kept="$kept $one"; done; pids=$kept ;;
  esac
done
[ -z "$pids" ] || kill -9 $pids 2>/dev/null`;

const owned = new Set<ChildProcess>();
let reaper: ChildProcess | undefined;

/**
 * Makes a child end no later than this process, also when this process is killed, and no later than {@link endOwnedProcesses}, which runs
 * after each test file. Works for any program, whether or not it runs Node. Returns the child.
 */
export function own<Child extends ChildProcess>(child: Child): Child {
  const { pid } = child;
  if (pid === undefined) return child;
  owned.add(child);
  sendToReaper(`+${pid}`);
  child.once('exit', () => {
    owned.delete(child);
    sendToReaper(`-${pid}`);
    if (owned.size === 0) stopReaper();
  });
  return child;
}

/** Kills every owned process that still runs and waits until it has ended. Returns the ids of those that it killed. */
export async function endOwnedProcesses(): Promise<number[]> {
  const running = [...owned];
  await Promise.all(
    running.map(async (child) => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }),
  );
  return running.map(({ pid }) => pid ?? 0);
}

function sendToReaper(line: string): void {
  reaper ??= startReaper();
  reaper.stdin?.write(`${line}\n`);
}

function startReaper(): ChildProcess {
  const child = spawn('sh', ['-c', REAPER], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  // It must not keep this process running.
  child.unref();
  const { stdin } = child as { stdin: { unref?: () => void } };
  stdin.unref?.();
  return child;
}

function stopReaper(): void {
  reaper?.stdin?.end();
  reaper = undefined;
}
