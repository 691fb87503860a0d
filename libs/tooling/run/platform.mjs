// The platforms on which the single process runs: those for which chDB, its event store, has a package. The separate services run wherever
// Node runs, because they use a ClickHouse server.
import { readFileSync } from 'node:fs';

/** Package of chDB's native library by platform. A test compares the list with the manifest of chDB. */
export const ENGINE_PACKAGES = {
  'linux-x64': '@chdb/lib-linux-x64-gnu',
  'linux-arm64': '@chdb/lib-linux-arm64-gnu',
  'darwin-arm64': '@chdb/lib-darwin-arm64',
  'darwin-x64': '@chdb/lib-darwin-x64',
};

/** EX_CONFIG: another machine or configuration helps, a repetition does not. */
export const EXIT_CONFIG = 78;

const INSTEAD =
  'use Linux x64 with glibc (a virtual machine, WSL 2 or the container image), or the separate services with a ClickHouse server ' +
  '(docs/kubernetes.md)';

/** Ends a task with one sentence instead of a stack trace. */
export class Refusal extends Error {
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Returns the name of this platform: `linux-x64`, `linux-x64-musl`, `darwin-arm64`, `win32-x64`. */
export function platformName({ platform, arch, report } = process) {
  return `${platform}-${arch}${platform === 'linux' && !hasGlibc(report) ? '-musl' : ''}`;
}

/** Returns the package of the native library. @throws Refusal for a platform or a version of Node on which nothing is to be tried */
export function requirePlatform(manifestFile, platform = platformName(), node = process.versions.node) {
  const { engines } = JSON.parse(readFileSync(manifestFile, 'utf8'));
  const oldest = engines.node.replace('>=', '');
  if (isOlder(node, oldest))
    throw new Refusal(`Assay needs Node ${oldest} or newer, this is ${node}: install Node 24`, EXIT_CONFIG);
  const name = ENGINE_PACKAGES[platform];
  if (name === undefined) throw refusePlatform(platform, 'chDB, its event store, has no library for it');
  return name;
}

export function refusePlatform(platform, reason) {
  return new Refusal(
    `the single process does not run on ${platform}, because ${reason}: ${INSTEAD}`,
    EXIT_CONFIG,
  );
}

/** Collecting the network of the machine is the slow part of a report. */
function hasGlibc(report) {
  if (!report) return true;
  const { excludeNetwork } = report;
  report.excludeNetwork = true;
  try {
    return report.getReport().header.glibcVersionRuntime !== undefined;
  } finally {
    report.excludeNetwork = excludeNetwork;
  }
}

function isOlder(version, oldest) {
  const [first, second] = [version, oldest].map((text) => text.split('.').map(Number));
  for (const [index, part] of second.entries()) if (first[index] !== part) return (first[index] ?? 0) < part;
  return false;
}
