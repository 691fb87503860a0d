import { createHash } from 'node:crypto';
import { jsonPiecesSteps, type JsonValue } from '@assay/domain';
import type { Steps } from '@assay/runtime';

/** The SHA-256 of the JSON text of an operation and its content, in steps for a long one. */
export function* contentHashSteps(operation: string, content: unknown): Steps<string> {
  const hash = createHash('sha256');
  yield* jsonPiecesSteps([operation, content as JsonValue], (piece) => hash.update(piece));
  return hash.digest('hex');
}
