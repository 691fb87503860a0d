import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import type { ReactNode } from 'react';
import './dialog.css';

interface Props {
  readonly title: string;
  readonly isOpen: boolean;
  /** Absent: the dialog ends only by what is in it. */
  readonly onClose?: () => void;
  readonly wide?: boolean;
  /** Hides the title from the eye; screen readers announce it. */
  readonly quiet?: boolean;
  readonly children: ReactNode;
}

/** A dialog over the page, which keeps everything that was typed there. */
export function Dialog({ title, isOpen, onClose, wide, quiet, children }: Props) {
  return (
    <ModalOverlay
      className="scrim"
      isOpen={isOpen}
      isDismissable={onClose !== undefined}
      isKeyboardDismissDisabled={onClose === undefined}
      onOpenChange={(open) => open || onClose?.()}
    >
      <Modal className={`modal${wide ? ' modal-wide' : ''}`}>
        <AriaDialog className="dialog">
          <Heading slot="title" level={2} className={quiet ? 'visually-hidden' : 'dialog-title'}>
            {title}
          </Heading>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
