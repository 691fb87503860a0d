import { useId, useRef, useEffect } from 'react';

interface Props {
  readonly label: string;
  readonly value: string;
  readonly maxLength: number;
  /** Changes when the caret should go into it. */
  readonly focus: number;
  readonly isReadOnly?: boolean;
  readonly onChange: (value: string) => void;
  readonly onEnter: () => void;
  readonly onEscape?: () => void;
}

/** A text that Enter ends. */
export function LineInput(props: Props) {
  const { label, value, maxLength, focus, isReadOnly, onChange, onEnter, onEscape } = props;
  const id = useId();
  const input = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (focus > 0) input.current?.focus();
  }, [focus]);
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        {...{ ref: input, id, value, maxLength, rows: 2, className: 'input', readOnly: isReadOnly }}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return;
          if (event.key === 'Escape') {
            event.currentTarget.blur();
            onEscape?.();
          }
          if (event.key !== 'Enter' || event.shiftKey) return;
          event.preventDefault();
          event.currentTarget.blur();
          onEnter();
        }}
      />
    </div>
  );
}
