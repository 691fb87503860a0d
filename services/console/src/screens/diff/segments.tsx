import '../../ui/choices.css';

interface Props<Name extends string> {
  /** What is chosen. */
  readonly label: string;
  readonly names: readonly Name[];
  readonly labels: Readonly<Record<Name, string>>;
  readonly value: Name;
  readonly onChange: (name: Name) => void;
}

/** A choice of a few, all of which are on the screen. */
export function Segments<Name extends string>({ label, names, labels, value, onChange }: Props<Name>) {
  return (
    <span className="segments" role="group" aria-label={label}>
      {names.map((name) => (
        <button
          key={name}
          {...{ type: 'button', className: 'segment', 'aria-pressed': name === value }}
          onClick={() => onChange(name)}
        >
          {labels[name]}
        </button>
      ))}
    </span>
  );
}
