import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { bind } from '../src/routing/bind.js';
import { openConsole, type ConsoleOfProcess } from '../src/console/open-console.js';
import { searchEvents } from '@assay/contracts';
import type { AppOptions } from '../src/server/create-app.js';
import { sampleApp, type SampleApp } from './sample-app.js';

export const PAGE = '<!doctype html><title>console</title>';
export const SCRIPT = `console.log(${JSON.stringify('x'.repeat(5_000))})`;
export const SCRIPT_PATH = '/console/assets/main-3fA9_-Kz.js';
export const SECRET = 's'.repeat(32);
export const FORMER_SECRET = 'f'.repeat(40);

const folders: string[] = [];
afterAll(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** Makes a new folder that is removed after the tests of the file. */
export function folderForConsole(): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-console-'));
  folders.push(folder);
  return folder;
}

/** Writes a small built console to a new folder and returns its path. A file beside the folder must never be served. */
export function consoleFolder(): string {
  const root = folderForConsole();
  writeFileSync(join(root, 'secret.txt'), 'not served');
  const dir = join(root, 'dist');
  mkdirSync(join(dir, 'assets'), { recursive: true });
  writeFileSync(join(dir, 'index.html'), PAGE);
  writeFileSync(join(dir, 'favicon.svg'), '<svg/>');
  const script = join(dir, 'assets/main-3fA9_-Kz.js');
  writeFileSync(script, SCRIPT);
  writeFileSync(`${script}.br`, brotliCompressSync(SCRIPT));
  writeFileSync(`${script}.gz`, gzipSync(SCRIPT));
  return dir;
}

interface ConsoleAppOptions extends Partial<AppOptions> {
  readonly secrets?: readonly [string, ...string[]];
  readonly allowsHttp?: boolean;
  readonly identityHeader?: string;
  readonly firstLogin?: ConsoleOfProcess['firstLogin'];
}

/** The sample app with a console, and `POST /v1/events/search` as a route that a session may call. */
export function consoleApp({ secrets = [SECRET], ...options }: ConsoleAppOptions = {}): SampleApp & {
  readonly console: NonNullable<AppOptions['console']>;
} {
  const { allowsHttp = false, identityHeader, firstLogin, ...app } = options;
  const opened = openConsole(
    {
      ...{ consoleDir: consoleFolder(), consoleSessionSecret: secrets },
      ...{ consoleAllowHttp: allowsHttp, consoleIdentityHeader: identityHeader },
      consoleUrl: undefined,
    },
    { about: { plane: 'data-plane', redact_values: false, data_plane_url: null }, firstLogin },
  );
  if (opened === undefined) throw new Error('there is no console');
  const search = bind(searchEvents, (_request, { caller }) =>
    Promise.resolve({ events: [], count: 0, totalEvents: caller.projectId.length }),
  );
  return { ...sampleApp({ bindings: [search], ...app, console: opened }), console: opened };
}
