import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { jinja } from '@codemirror/lang-jinja';
import { python } from '@codemirror/lang-python';
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from '@codemirror/language';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { codeOf, HIDDEN } from '../text/hidden-characters.js';

export type Language = 'python' | 'jinja' | 'text';

/** What is wrong in a line. Lines begin at 1; those beyond the text mean its last one. */
export interface Fault {
  readonly line: number;
  readonly message: string;
}

export interface EditorOptions {
  readonly text: string;
  readonly language: Language;
  /** What screen readers call it. */
  readonly label: string;
  readonly isReadOnly: boolean;
  readonly onChange: (text: string) => void;
}

export interface CodeMirror {
  readonly setText: (text: string) => void;
  readonly setFault: (fault: Fault | undefined) => void;
  readonly setReadOnly: (isReadOnly: boolean) => void;
  readonly goToLine: (line: number) => void;
  readonly destroy: () => void;
}

/** Custom properties of the page reach into the shadow root. */
const theme = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--bg)', color: 'var(--text)', fontSize: '13px' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '20px', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--muted)', borderColor: 'var(--line)' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--selected) 45%, transparent)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 28%, transparent)',
  },
  '.cm-matchingBracket': { backgroundColor: 'var(--selected)', outline: '1px solid var(--line-strong)' },
  '.cm-specialChar': {
    border: '1px solid var(--line-strong)',
    borderRadius: '3px',
    color: 'var(--error)',
    fontSize: '10px',
  },
  '.cm-tooltip': { backgroundColor: 'var(--raised)', color: 'var(--text)', borderColor: 'var(--line)' },
  '.cm-diagnostic': { borderLeftColor: 'var(--error)', whiteSpace: 'pre-wrap' },
  '.cm-diagnosticText': { color: 'var(--text)' },
});

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword], color: 'var(--chain)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--tool)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--accent)' },
  { tag: [tags.comment, tags.meta], color: 'var(--muted)', fontStyle: 'italic' },
  { tag: [tags.function(tags.definition(tags.variableName)), tags.tagName], color: 'var(--model)' },
  { tag: [tags.brace, tags.special(tags.brace), tags.processingInstruction], color: 'var(--chain)' },
]);

const LANGUAGES: Readonly<Record<Language, () => Extension>> = {
  python: () => [python(), indentUnit.of('    ')],
  jinja: () => jinja(),
  text: () => [],
};
/** The page decides what these keys do. */
const OF_PAGE: ReadonlySet<string> = new Set(['Mod-Enter']);

/** Draws an editor in a shadow root: there its style sheets are adopted ones, which the policy of the page admits. */
export function createCodeMirror(root: ShadowRoot, options: EditorOptions): CodeMirror {
  const readOnly = new Compartment();
  const locked = (isReadOnly: boolean) => [
    EditorState.readOnly.of(isReadOnly),
    EditorView.contentAttributes.of({
      ...{ 'aria-label': options.label, 'aria-readonly': String(isReadOnly), spellcheck: 'false' },
    }),
  ];
  const view = new EditorView({
    ...{ root, parent: root },
    state: EditorState.create({
      doc: options.text,
      extensions: [
        ...[lineNumbers(), lintGutter(), history(), drawSelection(), highlightActiveLine()],
        ...[bracketMatching(), indentOnInput(), EditorView.lineWrapping, theme, syntaxHighlighting(colours)],
        highlightSpecialChars({ specialChars: HIDDEN, render: drawHidden }),
        ...[LANGUAGES[options.language](), readOnly.of(locked(options.isReadOnly))],
        keymap.of([
          ...defaultKeymap.filter(({ key }) => key === undefined || !OF_PAGE.has(key)),
          ...[...historyKeymap, indentWithTab],
        ]),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged) options.onChange(state.doc.toString());
        }),
      ],
    }),
  });
  return {
    setText: (text) => {
      if (text !== view.state.doc.toString())
        view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    },
    setFault: (fault) => view.dispatch(setDiagnostics(view.state, fault ? [diagnosticOf(view, fault)] : [])),
    setReadOnly: (isReadOnly) => view.dispatch({ effects: readOnly.reconfigure(locked(isReadOnly)) }),
    goToLine: (line) => {
      view.dispatch({ selection: { anchor: lineOf(view, line).from }, scrollIntoView: true });
      view.focus();
    },
    destroy: () => view.destroy(),
  };
}

/** A character that no reader would see, or that would turn its line around. */
function drawHidden(code: number): HTMLElement {
  const element = document.createElement('span');
  element.className = 'cm-specialChar';
  element.textContent = codeOf(String.fromCodePoint(code));
  return element;
}

const lineOf = ({ state }: EditorView, line: number) =>
  state.doc.line(Math.min(Math.max(line, 1), state.doc.lines));

function diagnosticOf(view: EditorView, { line, message }: Fault) {
  const { from, to } = lineOf(view, line);
  return { from, to, severity: 'error' as const, message };
}
