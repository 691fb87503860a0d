import { StartError } from '../lifecycle/start-error.js';

/** Another system that a process connects to. */
export interface System {
  /** Such as `the Kafka brokers`. */
  readonly name: string;
  /** Prefix of its settings, such as `KAFKA`. */
  readonly prefix: string;
  /** Settings with the credentials, for a sentence. */
  readonly credentials: string;
  /** Rights that the user needs and how it gets them, as the end of a sentence. */
  readonly rights: string;
}

export const KAFKA: System = {
  name: 'the Kafka brokers',
  prefix: 'KAFKA',
  credentials: 'KAFKA_SASL_MECHANISM, KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD',
  rights:
    'allow it to describe, create, read and write the topics, and to read with the groups, whose names begin with KAFKA_TOPIC_PREFIX',
};
export const CLICKHOUSE: System = {
  name: 'ClickHouse',
  prefix: 'CLICKHOUSE',
  credentials: 'CLICKHOUSE_USERNAME and CLICKHOUSE_PASSWORD',
  rights:
    'grant it all rights on the database CLICKHOUSE_DATABASE, or SELECT, INSERT and ALTER DELETE after a user with all rights has run ' +
    'the data plane with the argument migrate, with CLICKHOUSE_MIGRATE=false',
};
export const MONGODB: System = {
  name: 'MongoDB',
  prefix: 'MONGODB',
  credentials: 'the user name and password in MONGODB_URL',
  rights: 'grant it the role readWrite on the database MONGODB_DATABASE',
};

type Advice = (system: System, right?: string) => string;

const untrusted: Advice = ({ name, prefix }) =>
  `the certificate of ${name} is not signed by a trusted authority, set ${prefix}_CA_FILE to the right one`;
const expired: Advice = ({ name }) =>
  `the certificate of ${name} has expired or is not valid yet, renew it or correct the clock`;
const otherName: Advice = ({ name }) =>
  `the certificate of ${name} is for another host name, connect by a name that it contains`;
const notTls: Advice = ({ name }) => `${name} did not respond with TLS, use the port that does`;
const refusedCertificate: Advice = ({ name, prefix }) =>
  `the certificate of this process is refused by ${name}, check ${prefix}_CERT_FILE and ${prefix}_KEY_FILE`;
const refusedCredentials: Advice = ({ name, credentials }) =>
  `the credentials are refused by ${name}, check ${credentials}`;
const refusedToken: Advice = ({ name }) =>
  `no token is given for ${name}, check KAFKA_OAUTH_TOKEN_URL, KAFKA_OAUTH_CLIENT_ID and KAFKA_OAUTH_CLIENT_SECRET, or the AWS_… settings`;
const missingRights: Advice = ({ name, rights }, right) =>
  right === undefined
    ? `the user lacks rights at ${name}, ${rights}`
    : `the user lacks the right ${right} at ${name}, ${rights}`;
const readOnly: Advice = ({ name, prefix }) =>
  `the user may only read at ${name}, remove the setting readonly from its profile or set ${prefix}_USERNAME to another user; ` +
  'processes that only read can have readonly = 2';
const noDatabase: Advice = ({ name, prefix }) =>
  `the database does not exist at ${name}, check ${prefix}_DATABASE or create it`;

/** By a pattern of the code, name or type of an error. OpenSSL and Node give these; no retry helps. */
const REFUSALS: readonly (readonly [RegExp, Advice])[] = [
  [/^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT)$/, untrusted],
  [/^(UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT(_LOCALLY)?)$/, untrusted],
  [/^(CERT_UNTRUSTED|CERT_SIGNATURE_FAILURE|INVALID_CA)$/, untrusted],
  [/^(CERT_HAS_EXPIRED|CERT_NOT_YET_VALID)$/, expired],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, otherName],
  [/^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|BAD_RECORD_TYPE)$/, notTls],
  [/^ERR_SSL_\w*ALERT_(\w*CERTIFICATE\w*|UNKNOWN_CA)$/, refusedCertificate],
  [/^KafkaJSSASLAuthenticationError$/, refusedCredentials],
  [/^TokenRefusedError$/, refusedToken],
  [/^(TOPIC|GROUP|CLUSTER)_AUTHORIZATION_FAILED$/, missingRights],
  [/^(ACCESS_DENIED|DATABASE_ACCESS_DENIED|NOT_ENOUGH_PRIVILEGES|Unauthorized)$/, missingRights],
  [/^READONLY$/, readOnly],
  [/^UNKNOWN_DATABASE$/, noDatabase],
  [/^(AUTHENTICATION_FAILED|REQUIRED_PASSWORD|AuthenticationFailed)$/, refusedCredentials],
];
const MAX_CAUSES = 10;

/**
 * Runs the first calls to another system.
 * @throws StartError (exit code 78) when TLS, the credentials or the rights of the user cannot work with this configuration; otherwise what `connect` throws
 */
export async function explainRefusal<T>(system: System, connect: () => Promise<T>): Promise<T> {
  try {
    return await connect();
  } catch (error) {
    const advice = adviceFor(error);
    if (advice === undefined) throw error;
    throw new StartError(advice(system, rightOf(error)), { cause: error, exitCode: 78 });
  }
}

function adviceFor(error: unknown, depth = 0): Advice | undefined {
  if (typeof error !== 'object' || error === null || depth > MAX_CAUSES) return undefined;
  const { code, name, type, codeName, cause, originalError, errors } = error as Record<string, unknown>;
  for (const text of [code, name, type, codeName])
    for (const [pattern, advice] of REFUSALS)
      if (typeof text === 'string' && pattern.test(text)) return advice;
  const [first] = Array.isArray(errors) ? (errors as unknown[]) : [];
  return [cause, originalError, first].reduce<Advice | undefined>(
    (advice, reason) => advice ?? adviceFor(reason, depth + 1),
    undefined,
  );
}

/** The rights that an error names, such as `CREATE TABLE ON assay.events`. */
const NAMED_RIGHT = /\b(?:the right|grants?) ([A-Z][^.]{0,2000}?) ON ([\w.*]*[\w*])/;
const COLUMNS = /\([^)]*\)/g;

function rightOf(error: unknown, depth = 0): string | undefined {
  if (!(error instanceof Error) || depth > MAX_CAUSES) return undefined;
  const [, right, target] = NAMED_RIGHT.exec(error.message) ?? [];
  return right === undefined ? rightOf(error.cause, depth + 1) : `${right.replace(COLUMNS, '')} ON ${target}`;
}
