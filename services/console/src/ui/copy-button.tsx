import { useState } from 'react';
import { Button } from './button.js';

/** Copies a text, and says so in its own label. */
export function CopyButton({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
  const [copied, setCopied] = useState<string>();
  const isCopied = copied === text;
  const copy = () => void navigator.clipboard.writeText(text).then(() => setCopied(text));
  return <Button icon={isCopied ? 'check' : 'copy'} label={isCopied ? 'Copied' : label} onPress={copy} />;
}
