/** The address of a script as the browser admits it. */
interface ScriptPolicy {
  createScriptURL(url: string): unknown;
}

interface PolicyFactory {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): ScriptPolicy;
}

let policy: ScriptPolicy | undefined;

/** Starts a worker from a file of the console itself. The one Trusted Types policy admits nothing else. */
export function startWorker(url: string): Worker {
  const { trustedTypes } = globalThis as { trustedTypes?: PolicyFactory };
  policy ??= trustedTypes?.createPolicy('assay', { createScriptURL: ownAsset });
  const address = policy?.createScriptURL(url) ?? ownAsset(url);
  return new Worker(address as string, { type: 'module' });
}

/** @throws TypeError for anything but an asset of the own origin */
function ownAsset(url: string): string {
  const { origin, pathname } = new URL(url, location.href);
  if (origin !== location.origin || !/^\/(?:[\w.-]+\/)*assets\/[\w.-]+\.js$/.test(pathname))
    throw new TypeError('not an asset of the console');
  return url;
}
