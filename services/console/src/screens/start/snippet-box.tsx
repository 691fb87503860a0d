import { useState } from 'react';
import { Button } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy-button.js';
import { snippetsFor } from './snippets.js';

/** Programs with the address of this server, one at a time. */
export function SnippetBox({
  address,
  apiKey,
}: {
  readonly address: string;
  readonly apiKey: string | undefined;
}) {
  const snippets = snippetsFor(address, apiKey);
  const [chosen, setChosen] = useState('curl');
  const snippet = snippets.find(({ id }) => id === chosen);
  if (snippet === undefined) return null;
  return (
    <div className="snippet">
      <div className="snippet-head" role="group" aria-label="Language">
        {snippets.map(({ id, title }) => (
          <Button key={id} kind="quiet" label={title} pressed={id === chosen} onPress={() => setChosen(id)} />
        ))}
        <span className="snippet-space" />
        <CopyButton text={snippet.code} />
      </div>
      {snippet.install !== undefined && <pre className="snippet-install">{snippet.install}</pre>}
      <pre
        className="snippet-code"
        tabIndex={0}
        aria-label={`${snippet.title} program`}
        data-snippet={snippet.id}
      >
        {snippet.code}
      </pre>
    </div>
  );
}
