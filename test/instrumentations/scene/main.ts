/** Plays a scene inside the network namespace that it was started in. Reads the scene from standard input, prints what it came to. */
import { text } from 'node:stream/consumers';
import { playCollector } from './play-collector.js';
import { playPrograms } from './play-programs.js';
import type { CollectorScene } from './collector-scene.js';
import type { Scene } from './programs.js';

async function main(kind: string): Promise<void> {
  const input = JSON.parse(await text(process.stdin)) as unknown;
  const outcome =
    kind === 'collector' ? await playCollector(input as CollectorScene) : await playPrograms(input as Scene);
  process.stdout.write(JSON.stringify(outcome));
}

void main(process.argv[2] ?? 'programs');
