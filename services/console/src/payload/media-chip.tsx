import { useState } from 'react';
import { formatBytes } from '../format/bytes.js';
import type { MediaPart } from './message.js';
import type { DocumentRequest } from './payload-functions.js';
import { payloads } from './payload-client.js';
import './media-chip.css';

interface Props {
  readonly part: MediaPart;
  readonly document: DocumentRequest;
}

/**
 * Image or audio as a chip. Its own bytes are shown on demand; a remote address is never requested, because that alone would tell
 * another host what is on the page.
 */
export function MediaChip({ part, document }: Props) {
  const [url, setUrl] = useState<string>();
  const [failed, setFailed] = useState(false);
  const { medium, mimeType, name, rest, dataUrl, elsewhere } = part;
  const title = [medium, mimeType, name]
    .filter((text, at, all) => text !== '' && all.indexOf(text) === at)
    .join(' · ');
  if (elsewhere !== '')
    return (
      <span className="media-chip">
        {title} · not loaded: <bdi>{elsewhere.slice(0, 300)}</bdi>
      </span>
    );
  const size = formatBytes(
    Math.floor(((rest === undefined ? dataUrl.length : rest.end - rest.start) * 3) / 4),
  );
  const canShow = /^(?:image|audio)\//.test(mimeType);
  const show = async () => {
    if (rest === undefined) return setUrl(dataUrl);
    try {
      const text = await payloads.call('wholeText', { ...document, range: rest });
      setUrl(text.startsWith('data:') ? text : `data:${mimeType};base64,${text}`);
    } catch {
      setFailed(true);
    }
  };
  return (
    <div className="media">
      <span className="media-chip">
        {title} · {size}
        {canShow && url === undefined && (
          <button type="button" className="text-button" onClick={() => void show()}>
            {mimeType.startsWith('audio/') ? 'Play' : 'Show'}
          </button>
        )}
        {failed && <span role="alert"> It could not be read.</span>}
      </span>
      {url !== undefined && mimeType.startsWith('image/') && <img src={url} alt={title} />}
      {url !== undefined && mimeType.startsWith('audio/') && <audio src={url} controls />}
    </div>
  );
}
