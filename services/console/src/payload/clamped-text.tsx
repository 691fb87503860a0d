import { lazy, Suspense, useState } from 'react';
import { formatBytes } from '../format/bytes.js';
import { usePreferences } from '../theme/preferences.js';
import { isMarkdown } from './is-markdown.js';
import type { DocumentRequest } from './payload-functions.js';
import { payloads } from './payload-client.js';
import type { CutRange } from './read-value.js';
import './clamped-text.css';

/** Characters that are shown before a person asks for more. */
const FIRST_CHARACTERS = 1_500;
/** Bytes of each further part of a text that was cut. */
const PART_BYTES = 65_536;

/** Without its script, which a newer server may no longer have, texts are drawn as they are. */
const Markdown = lazy(() =>
  import('./markdown.js').then(
    ({ Markdown: Drawn }) => ({ default: Drawn }),
    () => ({ default: Plain }),
  ),
);

function Plain({ text }: { readonly text: string }) {
  return <>{text}</>;
}

interface Props {
  readonly text: string;
  /** Where the rest of the text is, when it was cut. */
  readonly rest?: CutRange | undefined;
  readonly document: DocumentRequest;
  readonly mono?: boolean;
  /** Whether people write Markdown there. */
  readonly isProse?: boolean;
}

/** A text of any length: its beginning, and the rest part by part on demand. */
export function ClampedText({ text, rest, document, mono, isProse }: Props) {
  const { markdown } = usePreferences();
  const [isLong, setLong] = useState(false);
  const [parts, setParts] = useState<readonly string[]>([]);
  const [shownTo, setShownTo] = useState(rest?.shownTo ?? 0);
  const [failed, setFailed] = useState(false);
  const visible =
    isLong || text.length <= FIRST_CHARACTERS ? text : text.slice(0, cutBefore(text, FIRST_CHARACTERS));
  const left = rest === undefined ? 0 : rest.end - shownTo;
  const more = async () => {
    if (visible.length < text.length) return setLong(true);
    if (rest === undefined) return undefined;
    try {
      const part = await payloads.call('textPart', {
        ...document,
        range: { ...rest, shownTo },
        maxBytes: PART_BYTES,
      });
      setParts((before) => [...before, part.text]);
      setShownTo(part.end);
      setFailed(false);
    } catch {
      setFailed(true);
    }
  };
  const all = `${visible}${parts.join('')}`;
  const isCut = visible.length < text.length || left > 0;
  return (
    <>
      <div className={`clamped${mono ? ' clamped-mono' : ''}`} dir="auto">
        {isProse && markdown && isMarkdown(visible) ? (
          <Suspense fallback={<Plain text={all} />}>
            <Markdown text={all} />
          </Suspense>
        ) : (
          all
        )}
        {isCut && '…'}
      </div>
      {isCut && (
        <button type="button" className="text-button" onClick={() => void more()}>
          {labelOf(text.length - visible.length, left)}
        </button>
      )}
      {failed && <span role="alert"> The rest could not be read.</span>}
    </>
  );
}

function labelOf(hidden: number, left: number): string {
  if (hidden > 0) return `Show all (${formatBytes(hidden + left)} more)`;
  return left > PART_BYTES
    ? `Show ${formatBytes(PART_BYTES)} more of ${formatBytes(left)}`
    : `Show the last ${formatBytes(left)}`;
}

/** Never between the halves of a character. */
function cutBefore(text: string, at: number): number {
  const code = text.charCodeAt(at - 1);
  return code >= 0xd800 && code < 0xdc00 ? at - 1 : at;
}
