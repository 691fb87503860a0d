import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { own } from '@assay/testing';
import { testProgramArgs } from '../../harness/processes/test-program.js';
import type { CollectorOutcome, CollectorScene } from './collector-scene.js';
import type { Scene, SceneOutcome } from './programs.js';

const MAIN = testProgramArgs('instrumentations/scene/main.ts');
/** A network and a process tree of its own: nothing leaves the machine, and no process outlives the scene. */
const APART = ['--net', '--pid', '--fork', '--kill-child', '--mount-proc'];
const NEEDS =
  'third-party programs run in network and process namespaces of their own, which takes root or user namespaces';
const WITH_LOOPBACK = 'ip link set lo up && "$@"';
const SCENE_WITHIN_MS = 240_000;

/** Runs third-party programs beside an empty Assay with no network but loopback. @throws when the machine allows no namespaces */
export function playPrograms(scene: Scene): Promise<SceneOutcome> {
  const { length } = scene.programs;
  return play('programs', scene, Math.max(SCENE_WITHIN_MS, length * scene.programWithinMs));
}

/** Sends spans through a Collector to an Assay that is killed and started again meanwhile. */
export function playCollector(scene: CollectorScene): Promise<CollectorOutcome> {
  return play('collector', scene, SCENE_WITHIN_MS);
}

async function play<Outcome>(kind: string, scene: object, withinMs: number): Promise<Outcome> {
  const command = ['sh', '-c', WITH_LOOPBACK, 'sh', process.execPath, ...MAIN, kind];
  const child = own(
    spawn('unshare', [...asRoot(), ...APART, ...command], {
      timeout: withinMs,
      killSignal: 'SIGKILL',
    }),
  );
  const ended = new Promise<number | null>((end, fail) => child.once('error', fail).once('close', end));
  child.stdin.on('error', () => undefined);
  child.stdin.end(JSON.stringify(scene));
  const [status, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  if (status !== 0) throw new Error(`${NEEDS}; unshare ${APART.join(' ')} ended with ${status}: ${stderr}`);
  return JSON.parse(stdout) as Outcome;
}

/** Who is not root needs a user namespace first. */
function asRoot(): string[] {
  return process.getuid?.() === 0 ? [] : ['--map-root-user'];
}
