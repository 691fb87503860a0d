import { CONVENTIONS } from '../conventions/catalogue.js';
import { mappingDocument } from './mapping-document.js';

const checked = { version: '1.2.0', language: 'Python', checked: '2026-11-26' };
const document = mappingDocument([
  { ...checked, name: 'a-tracer', conventions: ['openinference', 'gen-ai'], with: 'a-client 3.4.5' },
  { ...checked, name: 'a-framework', conventions: ['openinference'], isRecorded: true },
]);

describe('mapping document', () => {
  it('contains a row for every attribute of every convention', () => {
    const keys = CONVENTIONS.flatMap((convention) => convention.rules.map((rule) => rule.key));
    expect(keys.filter((key) => !document.includes(`| \`${key}\` |`))).toEqual([]);
  });

  it('states where an attribute is stored', () => {
    expect(document).toContain(
      '| `gen_ai.usage.input_tokens` | `metadata.prompt_tokens` | Input tokens, including cached ones |',
    );
    expect(document).toContain('| `gen_ai.input.messages` | `inputs.chat_history` | Input messages |');
    expect(document).toContain(
      '| `gen_ai.response.model` | `metadata.response_model`, `config.model` | Model that answered |',
    );
  });

  it('lists the attributes that set the session id in order of precedence', () => {
    expect(document).toMatch(
      /\*\*Session id\*\*: `honeyhive_session_id`, `honeyhive.session_id`, .*`session.id`, .*`gen_ai.conversation.id`/,
    );
  });

  it('lists the libraries that were checked, and those of each convention', () => {
    expect(document).toContain('| `a-tracer` | 1.2.0 | a-client 3.4.5 | Python | run | 2026-11-26 |');
    expect(document).toContain('| `a-framework` | 1.2.0 | – | Python | recorded | 2026-11-26 |');
    const sectionOf = (title: string) => document.split(`\n## ${title}\n`)[1]?.split('\n## ')[0];
    expect(sectionOf('OpenInference')).toContain(
      'Checked with `a-tracer` 1.2.0 (Python), `a-framework` 1.2.0 (Python).',
    );
    expect(sectionOf('OpenLLMetry (Traceloop)')).toContain('Checked with no library.');
  });

  it('contains only well-formed table rows', () => {
    const rows = document.split('\n').filter((line) => line.startsWith('|'));
    expect(rows.filter((line) => ![5, 8].includes(line.split('|').length))).toEqual([]);
  });
});
