import { Header } from 'react-aria-components/Header';
import { Menu, MenuItem, MenuSection, MenuTrigger } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import type { ReactNode } from 'react';
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

interface Props {
  /** The button that opens the menu. */
  readonly trigger: ReactNode;
  readonly label: string;
  readonly sections: readonly { readonly title?: string; readonly entries: readonly MenuEntry[] }[];
  readonly onAction: (id: string) => void;
  readonly isOpen?: boolean;
  readonly onOpenChange?: (isOpen: boolean) => void;
}

export function MenuButton({ trigger, label, sections, onAction, ...open }: Props) {
  return (
    <MenuTrigger {...open}>
      {trigger}
      <Popover className="popover" placement="bottom start" offset={4}>
        <Menu className="menu" aria-label={label} onAction={(key) => onAction(String(key))}>
          {sections.map(({ title, entries }, index) => (
            <MenuSection key={title ?? index} className="menu-section" aria-label={title ?? label}>
              {title !== undefined && <Header className="menu-title">{title}</Header>}
              {entries.map((entry) => (
                <Entry key={entry.id} {...entry} />
              ))}
            </MenuSection>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
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
