import { Button as AriaButton, type ButtonProps } from 'react-aria-components/Button';
import { Icon, type IconName } from './icon.js';
import './button.css';

interface Props extends Omit<ButtonProps, 'children' | 'className' | 'style'> {
  readonly label: string;
  readonly icon?: IconName;
  /** `primary` once per screen at most; `danger` for what cannot be undone; `quiet` without a border. */
  readonly kind?: 'primary' | 'danger' | 'normal' | 'quiet';
  /** Shows the icon alone; the label is what screen readers and tooltips say. */
  readonly iconOnly?: boolean;
  /** The button opens a menu or a panel. */
  readonly opens?: boolean;
  readonly pressed?: boolean;
}

export function Button({ label, icon, kind = 'normal', iconOnly, opens, pressed, ...props }: Props) {
  return (
    <AriaButton
      {...props}
      className={`button button-${kind}${iconOnly ? ' button-icon' : ''}`}
      aria-label={iconOnly ? label : props['aria-label']}
      aria-pressed={pressed}
      render={(attributes) => <button {...attributes} title={iconOnly ? label : undefined} />}
    >
      {icon && <Icon name={icon} />}
      {!iconOnly && <span>{label}</span>}
      {opens && <Icon name="down" size={12} />}
    </AriaButton>
  );
}
