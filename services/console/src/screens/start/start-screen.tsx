import { useState } from 'react';
import { createIngestKey } from '../../api/keys.js';
import { sendSpans } from '../../api/events.js';
import { useMay } from '../../api/use-session.js';
import { Button } from '../../ui/button.js';
import { useProject } from '../../url/use-project.js';
import { Arrivals } from './arrivals.js';
import { KeyBox } from './key-box.js';
import { sampleTrace } from './sample-trace.js';
import { SnippetBox } from './snippet-box.js';
import './start.css';

/** How to send a first trace, and what arrives while a person tries. */
export function StartScreen() {
  const project = useProject();
  const mayMakeKeys = useMay('keys:write');
  const [key, setKey] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const makeKey = async () => key ?? (await createIngestKey(project, keyName())).data.key_value;
  async function run(work: (key: string) => Promise<unknown>): Promise<void> {
    setBusy(true);
    setFailure(undefined);
    try {
      const made = await makeKey();
      setKey(made);
      await work(made);
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    }
    setBusy(false);
  }
  return (
    <div className="start">
      <section className="start-send" aria-labelledby="start-send">
        <h2 id="start-send">Send a trace</h2>
        <p className="muted">From any OpenTelemetry SDK or collector, or with one request.</p>
        <KeyBox
          apiKey={key}
          mayMake={mayMakeKeys}
          isBusy={isBusy}
          onMake={() => void run(() => Promise.resolve())}
        />
        {failure !== undefined && (
          <p className="field-error" role="alert">
            {failure}
          </p>
        )}
        <SnippetBox address={location.origin} apiKey={key} />
      </section>
      <section className="start-arrivals" aria-labelledby="start-arrivals">
        <h2 id="start-arrivals">What arrives</h2>
        <Arrivals />
        {mayMakeKeys && (
          <Button
            {...{ label: 'Send a sample trace', isDisabled: isBusy }}
            onPress={() => void run((made) => sendSpans(made, sampleTrace(Date.now())))}
          />
        )}
      </section>
    </div>
  );
}

/** The name tells keys of several days apart. */
const keyName = () => `start page ${new Date().toISOString().slice(0, 16).replace('T', ' ')}`;
