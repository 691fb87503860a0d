import { Button } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy-button.js';

interface Props {
  readonly apiKey: string | undefined;
  readonly mayMake: boolean;
  readonly isBusy: boolean;
  readonly onMake: () => void;
}

/** A key that can only send. Its text exists in this page alone, until the page is left. */
export function KeyBox({ apiKey, mayMake, isBusy, onMake }: Props) {
  if (apiKey !== undefined)
    return (
      <div className="key-box">
        <code>{apiKey}</code>
        <CopyButton text={apiKey} label="Copy the key" />
        <p className="muted">This key can only send. It is shown until you leave this page.</p>
      </div>
    );
  if (!mayMake)
    return (
      <p className="muted">
        The key of this session may not make other keys (<code>keys:write</code>). Use a key of your own as{' '}
        <code>ASSAY_API_KEY</code>.
      </p>
    );
  return (
    <div className="key-box">
      <Button kind="primary" icon="key" label="Make a key for sending" isDisabled={isBusy} onPress={onMake} />
      <p className="muted">
        The snippets then contain it. Without it they read ASSAY_API_KEY from the environment.
      </p>
    </div>
  );
}
