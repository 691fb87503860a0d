import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** A package of the registry. */
export interface StubPackage {
  readonly name: string;
  readonly version: string;
  /** Content of its `index.js`. */
  readonly main: string;
}

/** An npm registry on loopback that has these packages and refuses every other one. */
export class RegistryStub {
  /** Paths that were asked for. */
  readonly requests: string[] = [];
  /** Status of the response for what the registry does not have. */
  refusal = 404;
  private readonly archives = new Map<string, Buffer>();
  private readonly manifests = new Map<string, unknown>();
  private readonly server: Server;

  private constructor(private readonly folder: string) {
    this.server = createServer(({ url = '' }, response) => {
      const path = decodeURIComponent(url).slice(1);
      this.requests.push(path);
      const body = this.archives.get(path) ?? this.manifests.get(path);
      response.statusCode = body === undefined ? this.refusal : 200;
      response.end(body instanceof Buffer ? body : JSON.stringify(body ?? { error: 'refused' }));
    });
  }

  static async start(folder: string): Promise<RegistryStub> {
    const stub = new RegistryStub(folder);
    stub.server.listen(0, '127.0.0.1');
    await once(stub.server, 'listening');
    return stub;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  add({ name, version, main }: StubPackage): void {
    const source = join(this.folder, `${name.replace('/', '-')}-${version}`);
    mkdirSync(join(source, 'package'), { recursive: true });
    const manifest = { name, version, main: 'index.js' };
    writeFileSync(join(source, 'package/package.json'), JSON.stringify(manifest));
    writeFileSync(join(source, 'package/index.js'), main);
    const archive = join(source, 'package.tgz');
    execFileSync('tar', ['-czf', archive, '-C', source, 'package']);
    const content = readFileSync(archive);
    const path = `archives/${name}/${version}.tgz`;
    this.archives.set(path, content);
    const integrity = `sha512-${createHash('sha512').update(content).digest('base64')}`;
    const dist = { tarball: `${this.url}${path}`, integrity };
    this.manifests.set(name, {
      name,
      'dist-tags': { latest: version },
      versions: { [version]: { ...manifest, dist } },
    });
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
