import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
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
  /** Fields of its `package.json`. */
  readonly manifest?: object;
  /** Size of one more file, which cannot be compressed. */
  readonly paddingBytes?: number;
}

/** An npm registry on loopback that has these packages and refuses every other one. */
export class RegistryStub {
  /** Paths that were asked for. */
  readonly requests: string[] = [];
  /** Status of the response for what the registry does not have. */
  refusal = 404;
  /** Awaited before each response. A rejection ends the connection. */
  hold: (path: string) => Promise<unknown> = () => Promise.resolve();
  private readonly content = new Map<string, Buffer | string>();
  private readonly server: Server;

  private constructor(private readonly folder: string) {
    this.server = createServer(({ url = '' }, response) => {
      const path = decodeURIComponent(url).slice(1);
      this.requests.push(path);
      const respond = () => {
        const body = this.content.get(path);
        response.statusCode = body === undefined ? this.refusal : 200;
        response.end(body ?? '{"error":"refused"}');
      };
      void this.hold(path).then(respond, () => response.destroy());
    });
  }

  /** @param folder for the archives of its packages */
  static async start(folder: string): Promise<RegistryStub> {
    const stub = new RegistryStub(folder);
    stub.server.listen(0, '127.0.0.1');
    await once(stub.server, 'listening');
    return stub;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  /** Returns the hash of the archive, as a lock file has it. */
  add({ name, version, main, manifest, paddingBytes = 0 }: StubPackage): string {
    const source = join(this.folder, `${name.replace('/', '-')}-${version}`);
    const files = join(source, 'package');
    mkdirSync(files, { recursive: true });
    const described = { name, version, main: 'index.js', ...manifest };
    writeFileSync(join(files, 'package.json'), JSON.stringify(described));
    writeFileSync(join(files, 'index.js'), main);
    if (paddingBytes > 0) writeFileSync(join(files, 'padding'), randomBytes(paddingBytes));
    const archive = join(source, 'package.tgz');
    execFileSync('tar', ['-czf', archive, '-C', source, 'package']);
    const content = readFileSync(archive);
    const path = `${name}/-/${name.split('/').at(-1)}-${version}.tgz`;
    const integrity = `sha512-${createHash('sha512').update(content).digest('base64')}`;
    const dist = { tarball: `${this.url}${path}`, integrity };
    const versions = { [version]: { ...described, dist } };
    this.content.set(path, content);
    this.content.set(name, JSON.stringify({ name, 'dist-tags': { latest: version }, versions }));
    return integrity;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
