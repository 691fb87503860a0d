import { Fragment, useMemo, type ReactNode } from 'react';
import { markdownNodes, type MarkdownNode, type MarkdownNodes } from './markdown-nodes.js';
import './markdown.css';

/** A text as Markdown, or as it is when that would be too much. */
export function Markdown({ text }: { readonly text: string }) {
  const nodes = useMemo(() => markdownNodes(text), [text]);
  return nodes === undefined ? <>{text}</> : <div className="markdown">{draw(nodes)}</div>;
}

const draw = (nodes: MarkdownNodes): ReactNode =>
  nodes.map((node, at) => <Fragment key={at}>{drawOne(node)}</Fragment>);

function drawOne(node: MarkdownNode): ReactNode {
  switch (node.kind) {
    case 'text':
      return node.text;
    case 'break':
      return <br />;
    case 'rule':
      return <hr />;
    case 'code':
      return node.isBlock ? (
        <pre tabIndex={0}>
          <code>{node.text}</code>
        </pre>
      ) : (
        <code>{node.text}</code>
      );
    case 'image':
      return <Image alt={node.alt} address={node.address} />;
    case 'link':
      return (
        <a href={node.href} target="_blank" rel="noopener noreferrer nofollow" title={node.href}>
          {draw(node.children)}
        </a>
      );
    case 'heading':
      // The headings of the page are not those of a message.
      return (
        <p className={`markdown-heading markdown-heading-${node.level}`}>
          <strong>{draw(node.children)}</strong>
        </p>
      );
    case 'element':
      return <node.tag {...(node.tag === 'ol' && { start: node.start })}>{draw(node.children)}</node.tag>;
  }
}

/** An image is never loaded: its address could say what is in the message. */
function Image({ alt, address }: { readonly alt: string; readonly address: string }) {
  return (
    <span className="markdown-image" title={address.slice(0, 300)}>
      image{alt === '' ? '' : `: ${alt}`}
    </span>
  );
}
