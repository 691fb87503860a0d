import { unavailable } from '@assay/errors';
import type { ByteContent } from './byte-content.js';
import type { ResponseBody } from './response-body.js';

/**
 * Sends bytes as the client reads them.
 * @throws AppError `UNAVAILABLE` when the client has disconnected, or when other bytes come than announced
 */
export async function writeBytes(content: ByteContent, body: ResponseBody): Promise<void> {
  let left = content.length;
  for await (const bytes of content.read(content.range)) {
    left -= bytes.length;
    if (left < 0) break;
    const accepted = body.write(bytes);
    if (accepted) await accepted;
  }
  if (left !== 0) throw unavailable('the content has changed while it was read');
  body.end('');
}
