import { useState } from 'react';
import { formatTime } from '../format/time.js';
import { useCommands } from '../keyboard/dispatch.js';
import { usePreferences } from '../theme/preferences.js';
import { Button } from '../ui/button.js';
import { MenuButton } from '../ui/menu.js';
import { RANGES, type ListView, type Range } from '../url/list-view.js';
import { rangeName } from '../url/range-name.js';

interface Props {
  readonly range: Range;
  readonly change: (changes: Partial<ListView>) => void;
}

export function RangeMenu({ range, change }: Props) {
  const [isOpen, setOpen] = useState(false);
  const { zone } = usePreferences();
  useCommands({ timeRange: () => setOpen(true) });
  const now = Date.now();
  const label =
    typeof range === 'string'
      ? capitalised(rangeName(range))
      : `${formatTime(Date.parse(range.from), zone, now)} – ${formatTime(Date.parse(range.to), zone, now)}`;
  return (
    <MenuButton
      {...{ isOpen, onOpenChange: setOpen, label: 'Time range' }}
      trigger={<Button icon="clock" label={label} aria-label={`Time range: ${label}`} opens />}
      sections={[
        { entries: RANGES.map((id) => ({ id, label: capitalised(rangeName(id)), checked: id === range })) },
      ]}
      onAction={(id) => change({ range: id })}
    />
  );
}

const capitalised = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
