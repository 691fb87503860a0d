import { useEffect, useRef, useState, type RefObject } from 'react';
import type { CodeMirror, Fault, Language } from './code-mirror.js';
import './code-editor.css';

interface Props {
  readonly label: string;
  readonly text: string;
  readonly language: Language;
  readonly isReadOnly: boolean;
  readonly fault?: Fault | undefined;
  readonly onChange: (text: string) => void;
}

/** Draws the editor into an element. Returns it once its script was loaded, and `none` when that failed. */
function useCodeMirror(
  host: RefObject<HTMLDivElement | null>,
  props: Props,
): CodeMirror | 'none' | undefined {
  const { label, text, language, isReadOnly, fault, onChange } = props;
  const latest = useRef({ text, onChange });
  const [editor, setEditor] = useState<CodeMirror | 'none'>();
  useEffect(() => {
    latest.current = { text, onChange };
  });
  useEffect(() => {
    let isGone = false;
    let made: CodeMirror | undefined;
    const element = host.current;
    void import('./code-mirror.js').then(
      ({ createCodeMirror }) => {
        if (isGone || element === null) return;
        const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
        const { text: first } = latest.current;
        const change = (next: string) => latest.current.onChange(next);
        made = createCodeMirror(root, { text: first, language, label, isReadOnly: false, onChange: change });
        setEditor(made);
      },
      () => isGone || setEditor('none'),
    );
    return () => {
      isGone = true;
      made?.destroy();
      setEditor(undefined);
    };
  }, [host, language, label]);
  const drawn = editor === 'none' ? undefined : editor;
  useEffect(() => drawn?.setText(text), [drawn, text]);
  useEffect(() => drawn?.setReadOnly(isReadOnly), [drawn, isReadOnly]);
  useEffect(() => drawn?.setFault(fault), [drawn, fault]);
  return editor;
}

/** An editor of code. Its script is loaded when the first one is drawn; without it, a plain field does. */
export function CodeEditor(props: Props) {
  const { label, text, isReadOnly, fault, onChange } = props;
  const host = useRef<HTMLDivElement>(null);
  const editor = useCodeMirror(host, props);
  return (
    <div className="code-editor">
      <div className="code-editor-host" ref={host} hidden={editor === 'none'} />
      {editor === undefined && <p className="code-editor-note">Loading the editor …</p>}
      {editor === 'none' && (
        <textarea
          {...{ className: 'input code-editor-plain', 'aria-label': label, value: text, spellCheck: false }}
          {...{ readOnly: isReadOnly, onChange: (event) => onChange(event.target.value) }}
        />
      )}
      {fault !== undefined && (
        <p className="field-error code-editor-fault" role="alert">
          <button
            type="button"
            className="text-button"
            onClick={() => editor !== 'none' && editor?.goToLine(fault.line)}
          >
            Line {fault.line}
          </button>
          : <bdi>{fault.message}</bdi>
        </p>
      )}
    </div>
  );
}
