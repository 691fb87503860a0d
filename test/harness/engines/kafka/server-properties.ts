import { join } from 'node:path';

export interface BrokerLocation {
  readonly dir: string;
  readonly port: number;
  readonly controllerPort: number;
  /** Its number in a cluster, and the ports of every controller by number from 1. Absent: it is alone. */
  readonly cluster?: { readonly nodeId: number; readonly controllerPorts: readonly number[] };
  /** A further listener with TLS, client certificates and SASL. */
  readonly secure?: SecureListener & { readonly port: number };
  /** Port of a further listener that takes tokens; the broker then allows its users only what access control lists grant. */
  readonly tokenPort?: number;
}

export interface SecureListener {
  /** Paths of PEM files: private key and certificate of the broker in one, and the authority of both sides. */
  readonly keystoreFile: string;
  readonly caFile: string;
  /** User of each mechanism. */
  readonly username: string;
  readonly password: string;
}

/** Configuration of a broker that is a controller, too, on 127.0.0.1, with every internal topic on each broker. */
export function serverProperties(location: BrokerLocation): string {
  const { dir, port, controllerPort, cluster, secure, tokenPort } = location;
  const { nodeId, controllerPorts } = cluster ?? { nodeId: 1, controllerPorts: [controllerPort] };
  const replicas = String(controllerPorts.length);
  const inSync = String(Math.ceil(controllerPorts.length / 2));
  const settings = {
    'process.roles': 'broker,controller',
    'node.id': String(nodeId),
    'controller.quorum.voters': controllerPorts.map((one, at) => `${at + 1}@127.0.0.1:${one}`).join(','),
    'controller.listener.names': 'CONTROLLER',
    listeners: [
      `PLAINTEXT://127.0.0.1:${port}`,
      `CONTROLLER://127.0.0.1:${controllerPort}`,
      ...(secure ? [`SASL_SSL://127.0.0.1:${secure.port}`] : []),
      ...(tokenPort === undefined ? [] : [`SASL_PLAINTEXT://127.0.0.1:${tokenPort}`]),
    ].join(','),
    'log.dirs': join(dir, 'logs'),
    'offsets.topic.replication.factor': replicas,
    ...(cluster && { 'min.insync.replicas': inSync }),
    // The first group would wait for 50, and a restart after a kill reads each again.
    'offsets.topic.num.partitions': '1',
    'transaction.state.log.replication.factor': replicas,
    'transaction.state.log.min.isr': inSync,
    'share.coordinator.state.topic.replication.factor': replicas,
    'share.coordinator.state.topic.min.isr': inSync,
    'group.initial.rebalance.delay.ms': '0',
    'auto.create.topics.enable': 'false',
    ...(secure && secureSettings(secure)),
    ...(tokenPort !== undefined && TOKEN_SETTINGS),
  };
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

function secureSettings({ keystoreFile, caFile, username, password }: SecureListener) {
  const plain = 'org.apache.kafka.common.security.plain.PlainLoginModule';
  const scram = 'org.apache.kafka.common.security.scram.ScramLoginModule required;';
  return {
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SASL_SSL:SASL_SSL',
    'ssl.keystore.type': 'PEM',
    'ssl.keystore.location': keystoreFile,
    'ssl.truststore.type': 'PEM',
    'ssl.truststore.location': caFile,
    'listener.name.sasl_ssl.ssl.client.auth': 'required',
    'sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512',
    'listener.name.sasl_ssl.plain.sasl.jaas.config': `${plain} required user_${username}="${password}";`,
    'listener.name.sasl_ssl.scram-sha-256.sasl.jaas.config': scram,
    'listener.name.sasl_ssl.scram-sha-512.sasl.jaas.config': scram,
  };
}

/** Tokens are JSON Web Tokens without a signature, whose subject is the user. Connections without a user may do everything. */
const TOKEN_SETTINGS = {
  'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SASL_PLAINTEXT:SASL_PLAINTEXT',
  'sasl.enabled.mechanisms': 'OAUTHBEARER',
  'listener.name.sasl_plaintext.oauthbearer.sasl.jaas.config':
    'org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub="broker";',
  'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
  'super.users': 'User:ANONYMOUS',
};
