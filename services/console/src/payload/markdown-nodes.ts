import MarkdownIt from 'markdown-it';

/** Markdown as a tree. Whatever the text says, nothing else is ever drawn: there is no HTML, and no address is loaded. */
export type MarkdownNode =
  | { readonly kind: 'element'; readonly tag: Tag; readonly start?: number; readonly children: MarkdownNodes }
  | { readonly kind: 'heading'; readonly level: number; readonly children: MarkdownNodes }
  | { readonly kind: 'link'; readonly href: string; readonly children: MarkdownNodes }
  | { readonly kind: 'image'; readonly alt: string; readonly address: string }
  | { readonly kind: 'code'; readonly text: string; readonly isBlock: boolean }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'break' | 'rule' };
export type MarkdownNodes = readonly MarkdownNode[];

const TAGS = [
  ...['p', 'ul', 'ol', 'li', 'blockquote', 'em', 'strong', 's'],
  ...['table', 'thead', 'tbody', 'tr', 'th', 'td'],
] as const;
export type Tag = (typeof TAGS)[number];

/** A longer text, or one that makes more elements, is drawn as it is. */
const MAX_CHARACTERS = 32_768;
const MAX_NODES = 2_000;
/** Schemes that a click may follow. */
const SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);

// Addresses are checked where links are made; one that is refused here would not even be seen as one.
const parser = new MarkdownIt({ html: false, breaks: true, linkify: false, maxNesting: 30 });
type Token = ReturnType<typeof parser.parse>[number];

/** Reads a text as Markdown. Undefined: it is too large to be drawn as such. */
export function markdownNodes(text: string): MarkdownNodes | undefined {
  if (text.length > MAX_CHARACTERS) return undefined;
  const tokens = parser.parse(text, {}).flatMap((token) => token.children ?? [token]);
  return tokens.length > MAX_NODES ? undefined : toTree(tokens);
}

interface Open {
  readonly token: Token | undefined;
  readonly children: MarkdownNode[];
}

function toTree(tokens: readonly Token[]): MarkdownNodes {
  const root: Open = { token: undefined, children: [] };
  const open = [root];
  for (const token of tokens) {
    const parent = open.at(-1) ?? root;
    if (token.nesting === 1) open.push({ token, children: [] });
    else if (token.nesting === 0) parent.children.push(leaf(token));
    else if (open.length > 1) {
      open.pop();
      (open.at(-1) ?? root).children.push(...closed(parent));
    }
  }
  return root.children;
}

function leaf(token: Token): MarkdownNode {
  const { type, content } = token;
  switch (type) {
    case 'code_inline':
      return { kind: 'code', text: content, isBlock: false };
    case 'code_block':
    case 'fence':
      return { kind: 'code', text: content.replace(/\n$/, ''), isBlock: true };
    case 'softbreak':
    case 'hardbreak':
      return { kind: 'break' };
    case 'hr':
      return { kind: 'rule' };
    case 'image':
      return { kind: 'image', alt: content, address: String(token.attrGet('src') ?? '') };
    default:
      return { kind: 'text', text: content };
  }
}

/** An element that has ended. What is unknown is what is in it; paragraphs of a tight list are not drawn. */
function closed({ token, children }: Open): MarkdownNodes {
  if (token === undefined || token.hidden) return children;
  if (token.type === 'heading_open')
    return [{ kind: 'heading', level: Number(token.tag.slice(1)), children }];
  if (token.type === 'link_open') return link(String(token.attrGet('href') ?? ''), children);
  const tag = TAGS.find((one) => one === token.tag);
  if (tag === undefined) return children;
  const start = Number(token.attrGet('start') ?? 1);
  return [{ kind: 'element', tag, children, ...(start !== 1 && { start }) }];
}

/** A link is one only to an absolute address of a known scheme; else its text stays. */
function link(address: string, children: MarkdownNodes): MarkdownNodes {
  const href = URL.canParse(address) ? new URL(address) : undefined;
  return href !== undefined && SCHEMES.has(href.protocol)
    ? [{ kind: 'link', href: href.href, children }]
    : children;
}
