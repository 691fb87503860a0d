import type { getMedia } from '@assay/contracts';
import type { Caller } from '@assay/domain';
import { notFound } from '@assay/errors';
import type { QueryOptions, StoredMedia } from '@assay/event-store';
import { rangeResponse, type ByteRange, type Operation } from '@assay/http';
import { respondByIdAfterWait } from '../freshness/respond-after-wait.js';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';

/** Bytes of one statement. A response holds about two of these in memory. */
const PART_BYTES = 4 * 1024 ** 2;
/** Types that a browser shows without running anything. SVG is none of them: it can have scripts. */
const SHOWN = /^(?:(?:image|audio|video)\/[a-z0-9.-]{1,80}|application\/pdf)$/;

/** Reads the content of media of a project; the entity tag is its hash. Clients choose type and content, so a browser runs neither. */
export function makeGetMedia(deps: DataPlaneDeps): Operation<typeof getMedia> {
  return ({ params }, { caller, waitMs, signal, headers }) =>
    respondByIdAfterWait(deps, { caller, waitMs, signal }, async () => {
      const media = await deps.store.events.media(caller.projectId, params.hash, { signal });
      if (!media) throw notFound('there is no media with this hash');
      const isShown = SHOWN.test(media.type);
      return rangeResponse(headers, {
        contentType: isShown ? media.type : 'application/octet-stream',
        length: media.bytes,
        tag: `"${media.hash}"`,
        headers: {
          'X-Content-Type-Options': 'nosniff',
          'Content-Security-Policy': "default-src 'none'; sandbox",
          ...(!isShown && { 'Content-Disposition': `attachment; filename="${media.hash}"` }),
        },
        read: (range) => readParts(deps, caller, { media, range }, { signal }),
      });
    });
}

async function* readParts(
  { store }: DataPlaneDeps,
  { projectId }: Caller,
  { media, range }: { readonly media: StoredMedia; readonly range: ByteRange },
  options: QueryOptions,
): AsyncGenerator<Buffer> {
  for (let from = range.from; from < range.to; from += PART_BYTES) {
    const part = { from, length: Math.min(PART_BYTES, range.to - from) };
    yield await store.events.mediaBytes(projectId, media.hash, part, options);
  }
}
