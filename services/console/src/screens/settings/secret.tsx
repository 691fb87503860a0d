import { printName } from '../../format/name.js';
import { CopyButton } from '../../ui/copy-button.js';

/** A key whose text the server has returned, which it does once. */
export interface SecretOnce {
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

/** The text of a new key. It exists in this page alone. */
export function Secret({ name, text }: SecretOnce) {
  return (
    <div className="settings-secret" role="status">
      <p>
        The key <bdi>{printName(name)}</bdi>. Copy it now: it is not shown again after you leave this page.
      </p>
      <code>{text}</code>
      <CopyButton text={text} label="Copy the key" />
    </div>
  );
}
