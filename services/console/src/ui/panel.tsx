import { Dialog, DialogTrigger } from 'react-aria-components/Dialog';
import { Popover } from 'react-aria-components/Popover';
import type { ReactNode } from 'react';

interface Props {
  readonly trigger: ReactNode;
  readonly label: string;
  readonly children: (close: () => void) => ReactNode;
  readonly isOpen?: boolean;
  readonly onOpenChange?: (isOpen: boolean) => void;
}

/** A panel that opens below a button, with controls in it. */
export function Panel({ trigger, label, children, ...open }: Props) {
  return (
    <DialogTrigger {...open}>
      {trigger}
      <Popover className="popover" placement="bottom start" offset={4}>
        <Dialog className="panel" aria-label={label}>
          {({ close }) => children(close)}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
