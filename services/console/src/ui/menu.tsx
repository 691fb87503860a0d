import { Header } from 'react-aria-components/Header';
import { Menu, MenuItem, MenuSection, MenuTrigger } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import type { ReactNode, RefObject } from 'react';
import { Icon, type IconName } from './icon.js';
import './menu.css';

export interface MenuEntry {
  readonly id: string;
  readonly label: string;
  readonly icon?: IconName;
  /** Text at the right end, such as a key. */
  readonly hint?: string;
  readonly checked?: boolean;
}

interface MenuProps {
  readonly label: string;
  readonly sections: readonly { readonly title?: string; readonly entries: readonly MenuEntry[] }[];
  readonly onAction: (id: string) => void;
}

interface Props extends MenuProps {
  /** The button that opens the menu. */
  readonly trigger: ReactNode;
  readonly isOpen?: boolean;
  readonly onOpenChange?: (isOpen: boolean) => void;
}

export function MenuButton({ trigger, isOpen, onOpenChange, ...menu }: Props) {
  return (
    <MenuTrigger {...{ isOpen, onOpenChange }}>
      {trigger}
      <Popover className="popover" placement="bottom start" offset={4}>
        <Entries {...menu} />
      </Popover>
    </MenuTrigger>
  );
}

interface AtProps extends MenuProps {
  readonly anchor: RefObject<Element | null>;
  readonly onClose: () => void;
}

/** An open menu below any element. */
export function MenuAt({ anchor, onClose, ...menu }: AtProps) {
  return (
    <Popover
      {...{ className: 'popover', placement: 'bottom start', offset: 0, triggerRef: anchor, isOpen: true }}
      onOpenChange={(isOpen) => isOpen || onClose()}
    >
      <Entries {...menu} onClose={onClose} />
    </Popover>
  );
}

function Entries({ label, sections, onAction, onClose }: MenuProps & { readonly onClose?: () => void }) {
  return (
    <Menu
      {...{ className: 'menu', 'aria-label': label, autoFocus: 'first', ...(onClose && { onClose }) }}
      onAction={(key) => onAction(String(key))}
    >
      {sections
        .filter(({ entries }) => entries.length > 0)
        .map(({ title, entries }, index) => (
          <MenuSection key={title ?? index} className="menu-section" aria-label={title ?? label}>
            {title !== undefined && <Header className="menu-title">{title}</Header>}
            {entries.map((entry) => (
              <Entry key={entry.id} {...entry} />
            ))}
          </MenuSection>
        ))}
    </Menu>
  );
}

function Entry({ id, label, icon, hint, checked }: MenuEntry) {
  return (
    <MenuItem id={id} textValue={label} className="menu-item">
      <span className="menu-check">{checked ? <Icon name="check" /> : icon && <Icon name={icon} />}</span>
      <span className="menu-label">{label}</span>
      {checked && <span className="visually-hidden">chosen</span>}
      {hint !== undefined && <span className="menu-hint">{hint}</span>}
    </MenuItem>
  );
}
