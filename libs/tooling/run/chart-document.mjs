// The README of the Helm chart: its values with the comments that start with `# --`, from values.yaml.
import { readFileSync } from 'node:fs';

const INTRO = `# The Helm chart

Installs ingestion, the data plane (processes that answer queries, and readers of the log), the evaluator and the control plane on Kubernetes 1.27 or newer.
[docs/kubernetes.md](../docs/kubernetes.md) has the steps of an installation. \`values.schema.json\` checks the values; an unknown one is an
error. Defaults of a value with parts are in \`values.yaml\`. This page is generated from \`values.yaml\`.

A value with \`<component>\` is one of all pods, and of \`ingestion\`, \`query\`, \`readers\`, \`evaluator\`, \`controlPlane\` and \`migrations\` for their pods
alone. There maps and lists add to those of all pods (an entry of a map replaces one of the same name), and the others replace them. Migrations have neither
\`topologySpreadConstraints\` nor \`probes\`.
The default of a value is in parentheses.
`;

/** Begins the comment of a value that each component has too. */
const OF_COMPONENTS = '{component} ';

/** Returns the README as Markdown. @throws Error for a value without a comment */
export function chartDocument(valuesFile) {
  const rows = [];
  const path = [];
  let comment = [];
  for (const line of readFileSync(valuesFile, 'utf8').split('\n')) {
    const text = line.trim();
    if (text.startsWith('#')) {
      if (text.startsWith('# -- ')) comment = [text.slice(5)];
      else if (comment.length > 0) comment.push(text.slice(2));
      continue;
    }
    const [, indent, name, value] = /^( *)([A-Za-z]+): *(.*)$/.exec(line) ?? [];
    if (name === undefined) continue;
    path.length = indent.length / 2;
    // The parts of a documented value, such as the default of \`resources\`.
    if (rows.some(({ key }) => path.length > 0 && path.join('.').startsWith(key))) continue;
    path.push(name);
    if (comment.length > 0) rows.push({ key: path.join('.'), value, meaning: comment.join(' ') });
    else if (value !== '') throw new Error(`${path.join('.')} has no comment in ${valuesFile}`);
    comment = [];
  }
  return `${[INTRO, ...rows.map(asRow)].join('\n')}\n`;
}

function asRow({ key, value, meaning: comment }) {
  const ofComponents = comment.startsWith(OF_COMPONENTS);
  const meaning = ofComponents ? comment.slice(OF_COMPONENTS.length) : comment;
  return `- \`${key}\`${ofComponents ? `, \`<component>.${key}\`` : ''} (${value === '' ? 'see `values.yaml`' : `\`${value}\``}): ${meaning}`;
}
