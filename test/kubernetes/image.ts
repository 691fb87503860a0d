import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../harness/stack/repository.js';

/** What the Dockerfile sets for a program. */
export interface Image {
  readonly environment: Readonly<Record<string, string>>;
  readonly entrypoint: readonly string[];
  readonly user: string;
}

const DOCKERFILE = join(repository, 'deploy/docker/Dockerfile');

/** Reads the stage `target` of the Dockerfile with the stages that it is built on. @throws Error for an unknown target */
export function readImage(target: string): Image {
  const lines = readFileSync(DOCKERFILE, 'utf8')
    .replace(/\\\n\s*/g, '')
    .split('\n');
  const start = lines.findIndex((line) => line.startsWith('FROM ') && line.endsWith(` AS ${target}`));
  if (start === -1) throw new Error(`the Dockerfile has no target ${target}`);
  const base = lines[start]?.split(' ')[1] ?? '';
  const inherited = base.startsWith('$')
    ? { environment: {}, entrypoint: [], user: 'root' }
    : readImage(base);
  const length = lines.slice(start + 1).findIndex((line) => line.startsWith('FROM '));
  const stage = lines.slice(start + 1, length === -1 ? undefined : start + 1 + length);
  const argument = (name: string) =>
    stage.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1);
  const variables = stage
    .filter((line) => line.startsWith('ENV '))
    .flatMap((line) => line.slice(4).trim().split(/\s+/))
    .map((pair) => pair.split('=') as [string, string]);
  return {
    environment: { ...inherited.environment, ...Object.fromEntries(variables) },
    entrypoint: JSON.parse(argument('ENTRYPOINT') ?? JSON.stringify(inherited.entrypoint)) as string[],
    user: argument('USER') ?? inherited.user,
  };
}
