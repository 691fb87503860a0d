import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { freePort } from '../../stack/free-port.js';
import { EngineProcess } from '../engine-process.js';
import { ApiClient } from './api-client.js';
import { kubernetesProgram } from './programs.js';

const START_WITHIN_MS = 120_000;

/**
 * A running API server of Kubernetes on loopback. It validates, admits and keeps objects, and enforces pod security. There are neither
 * controllers nor nodes: a Deployment creates no pods, and no Job completes.
 */
export interface ApiServer {
  readonly client: ApiClient;
  /** Path of a file for `KUBECONFIG`, with an administrator. */
  readonly kubeconfig: string;
  /** Ends both processes and removes their data. Idempotent. */
  stop(): Promise<void>;
}

/** Starts etcd and an API server on free ports, with the custom resources that the chart may create. */
export async function startApiServer(): Promise<ApiServer> {
  const dir = mkdtempSync(join(tmpdir(), 'assay-kubernetes-'));
  const processes: EngineProcess[] = [];
  const stop = async () => {
    for (const process of processes.splice(0).reverse()) await process.end('SIGKILL');
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    const etcd = await freePort();
    processes.push(await startEtcd(join(dir, 'etcd'), etcd));
    const port = await freePort();
    const token = randomUUID();
    const certificate = join(dir, 'certs', 'apiserver.crt');
    const client = new ApiClient(port, token, certificate);
    processes.push(await startServer({ dir, port, etcd, token, client }));
    const kubeconfig = join(dir, 'kubeconfig');
    writeFileSync(kubeconfig, kubeconfigOf(`https://127.0.0.1:${port}`, token, certificate), { mode: 0o600 });
    await defineCustomResources(client);
    return { client, kubeconfig, stop };
  } catch (cause) {
    await stop();
    throw cause;
  }
}

async function startEtcd(dataDir: string, port: number): Promise<EngineProcess> {
  const [clients, peers] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${await freePort()}`];
  const args = [
    ...[`--data-dir=${dataDir}`, '--unsafe-no-fsync', `--initial-cluster=default=${peers}`],
    ...[`--listen-client-urls=${clients}`, `--advertise-client-urls=${clients}`],
    ...[`--listen-peer-urls=${peers}`, `--initial-advertise-peer-urls=${peers}`],
  ];
  const isReady = async () => (await fetch(`${clients}/health`).catch(() => undefined))?.ok === true;
  const file = await kubernetesProgram('etcd');
  return EngineProcess.start({ name: 'etcd', file, args, startWithinMs: START_WITHIN_MS, isReady });
}

async function startServer(options: {
  readonly dir: string;
  readonly port: number;
  readonly etcd: number;
  readonly token: string;
  readonly client: ApiClient;
}): Promise<EngineProcess> {
  const [key, publicKey, tokens] = ['sa.key', 'sa.pub', 'tokens.csv'].map((name) => join(options.dir, name));
  const pair = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  writeFileSync(key!, pair.privateKey);
  writeFileSync(publicKey!, pair.publicKey);
  writeFileSync(tokens!, `${options.token},admin,admin,"system:masters"\n`);
  const args = [
    ...[`--etcd-servers=http://127.0.0.1:${options.etcd}`, '--service-cluster-ip-range=10.0.0.0/24'],
    ...['--bind-address=127.0.0.1', `--secure-port=${options.port}`, `--cert-dir=${options.dir}/certs`],
    ...[`--service-account-key-file=${publicKey}`, `--service-account-signing-key-file=${key}`],
    ...['--service-account-issuer=https://kubernetes.default.svc', `--token-auth-file=${tokens}`],
    // Pod security refuses privileged pods, as on a cluster, not the server itself.
    '--allow-privileged=true',
    // Without controllers no namespace gets the ServiceAccount that this plugin demands.
    ...['--authorization-mode=RBAC', '--disable-admission-plugins=ServiceAccount'],
  ];
  const isReady = () => options.client.isReady();
  const file = await kubernetesProgram('kube-apiserver');
  return EngineProcess.start({ name: 'kube-apiserver', file, args, startWithinMs: START_WITHIN_MS, isReady });
}

function kubeconfigOf(server: string, token: string, certificate: string): string {
  const name = 'test';
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server, 'certificate-authority': certificate } }],
    users: [{ name, user: { token } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
  });
}

async function defineCustomResources(client: ApiClient): Promise<void> {
  const folder = await kubernetesProgram('custom-resources');
  for (const file of readdirSync(folder)) await client.define(readFileSync(join(folder, file), 'utf8'));
}
