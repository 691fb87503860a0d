const ENDPOINT = 'EXPORT_S3_ENDPOINT';
const NEEDED = ['EXPORT_S3_BUCKET', 'EXPORT_S3_ACCESS_KEY_ID', 'EXPORT_S3_SECRET_ACCESS_KEY'];
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
/** Parts between slashes, which need no escape in a URL. */
const PREFIX = /^(?!\.{1,2}(?:\/|$))[\w.=-]+(?:\/(?!\.{1,2}(?:\/|$))[\w.=-]+)*$/;

/** Returns a sentence for each setting of the object store that is missing, needless or malformed. */
export function objectExportProblems(values: ReadonlyMap<string, unknown>): string[] {
  // One that could not be read has a sentence already.
  if (![ENDPOINT, ...NEEDED].every((name) => values.has(name))) return [];
  const isSet = (name: string) => values.get(name) !== undefined;
  if (!isSet(ENDPOINT))
    return [...NEEDED, 'EXPORT_S3_PREFIX']
      .filter(isSet)
      .map((name) => `${name} must be set together with ${ENDPOINT}`);
  const problems = NEEDED.filter((name) => !isSet(name)).map(
    (name) => `${name} must be set together with ${ENDPOINT}`,
  );
  const [bucket, prefix] = [values.get('EXPORT_S3_BUCKET'), values.get('EXPORT_S3_PREFIX')];
  if (typeof bucket === 'string' && !BUCKET.test(bucket))
    problems.push(
      'EXPORT_S3_BUCKET must be the name of a bucket: 3 to 63 lower-case letters, digits, dots and hyphens',
    );
  if (typeof prefix === 'string' && !PREFIX.test(prefix))
    problems.push(
      'EXPORT_S3_PREFIX must consist of letters, digits and ._=- between single slashes, without one at its ends',
    );
  return problems;
}
