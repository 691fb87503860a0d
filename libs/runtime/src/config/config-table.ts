import type { Declaration } from './load-config.js';

/** Returns the settings of a declaration as a Markdown table, in the order of the declaration. */
export function configTable(declaration: Declaration): string {
  const rows = Object.values(declaration).map(({ name, kind, fallback, description, secret }) => {
    const names = secret ? `\`${name}\`, \`${name}_FILE\`` : `\`${name}\``;
    return `| ${names} | ${kind} | ${fallback === undefined ? '' : `\`${fallback}\``} | ${description} |`;
  });
  return ['| Setting | Value | Default | Meaning |', '|---|---|---|---|', ...rows].join('\n');
}
