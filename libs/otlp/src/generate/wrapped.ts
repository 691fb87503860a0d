const WIDTH = 150;

/** Breaks a list of Markdown at its commas; lines after the first begin with `indent`. */
export function wrapped(text: string, indent = ''): string {
  const lines: string[] = [];
  for (const item of text.split(/(?<=,) /)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + item.length < WIDTH) lines[lines.length - 1] = `${last} ${item}`;
    else lines.push(lines.length === 0 ? item : `${indent}${item}`);
  }
  return lines.join('\n');
}
