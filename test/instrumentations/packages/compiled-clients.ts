import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { GO_BUILD } from '../../harness/engines/go-build.js';
import type { Program } from '../scene/programs.js';
import { cachedFolder } from './cached-folder.js';
import { clientProgram } from './client-packages.js';

const run = (file: string, args: readonly string[], cwd: string, environment = {}) =>
  promisify(execFile)(file, args, {
    cwd,
    env: { ...process.env, ...environment },
    maxBuffer: 32 * 1024 * 1024,
  });

/** The program of `go/`, compiled with the modules of its `go.mod` and `go.sum`. */
export async function goProgram(protocol: string): Promise<Program> {
  const files = ['go.mod', 'go.sum', 'main.go'].map((name) => clientProgram(`go/${name}`));
  const folder = await cachedFolder('go-client', files, async (empty) => {
    for (const file of files) copyFileSync(file, join(empty, basename(file)));
    await run('go', ['build', '-mod=readonly', '-o', 'export', '.'], empty, GO_BUILD);
  });
  return { file: join(folder, 'export'), args: [protocol] };
}

/** The program of `java/`, compiled with the jars that its `pom.xml` names. */
export function javaProgram(protocol: string): Promise<Program> {
  return jvmProgram('java', 'Export.java', [protocol]);
}

/** The program of `spring/`, compiled in the same way. */
export function springProgram(): Promise<Program> {
  return jvmProgram('spring', 'Conversation.java', []);
}

async function jvmProgram(name: string, file: string, args: readonly string[]): Promise<Program> {
  const pom = clientProgram(`${name}/pom.xml`);
  const source = clientProgram(`${name}/${file}`);
  const folder = await cachedFolder(`${name}-client`, [pom, source], async (empty) => {
    mkdirSync(join(empty, 'jars'));
    await run(
      'mvn',
      ['-q', '-B', '-f', pom, 'dependency:copy-dependencies', `-DoutputDirectory=${empty}/jars`],
      empty,
    );
    await run(
      'javac',
      ['-encoding', 'UTF-8', '-parameters', '-cp', 'jars/*', '-d', 'classes', source],
      empty,
    );
  });
  const classes = ['classes', 'jars/*'].map((part) => join(folder, part)).join(':');
  return { file: 'java', args: ['-Dfile.encoding=UTF-8', '-cp', classes, basename(file, '.java'), ...args] };
}
