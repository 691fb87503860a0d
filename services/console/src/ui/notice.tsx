import type { ReactNode } from 'react';
import './notice.css';

interface Props {
  readonly title: string;
  readonly children?: ReactNode;
  /** Buttons or links of what to do next. */
  readonly actions?: ReactNode;
  readonly kind?: 'empty' | 'error';
}

/** What a screen says instead of its content: why there is none, and the next step. */
export function Notice({ title, children, actions, kind = 'empty' }: Props) {
  return (
    <div className={`notice notice-${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
      <p className="notice-title">{title}</p>
      {children !== undefined && <div className="notice-text">{children}</div>}
      {actions !== undefined && <div className="notice-actions">{actions}</div>}
    </div>
  );
}
