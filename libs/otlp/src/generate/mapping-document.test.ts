import { CONVENTIONS } from '../conventions/catalogue.js';
import { groupedRules } from './grouped-rules.js';
import { mappingDocument } from './mapping-document.js';

const checked = { version: '1.2.0', language: 'Python', checked: '2026-11-26' };
const document = mappingDocument([
  { ...checked, name: 'a-tracer', conventions: ['openinference', 'gen-ai'], with: 'a-client 3.4.5' },
  { ...checked, name: 'a-framework', conventions: ['openinference'], isRecorded: true },
]);

describe('mapping document', () => {
  it('contains an item for every attribute of every convention', () => {
    const keys = CONVENTIONS.flatMap((convention) => convention.rules.map((rule) => rule.key));
    expect(
      keys.filter(
        (key) =>
          !document.split(/\n(?=- )/).some((item) => item.startsWith('- ') && item.includes(`\`${key}\``)),
      ),
    ).toEqual([]);
  });

  it('states where an attribute is stored', () => {
    expect(document).toContain(
      '\n- `metadata.prompt_tokens`: `gen_ai.usage.input_tokens`, `gen_ai.usage.prompt_tokens`\n',
    );
    expect(document).toContain('\n- `inputs.chat_history`: `gen_ai.input.messages`\n');
    expect(document).toContain('\n- `metadata.response_model`, `config.model`: `gen_ai.response.model`\n');
  });

  it('lists the attributes of a field in the order in which they win', () => {
    for (const convention of CONVENTIONS) {
      const rules = convention.rules.map(({ key, to, also = [] }) => ({
        key,
        targets: [to, ...also.map((other) => other.to)],
      }));
      const listed = groupedRules(convention.rules).flatMap(({ keys }) => keys);
      expect([...listed].sort()).toEqual(rules.map(({ key }) => key).sort());
      for (const target of new Set(rules.flatMap(({ targets }) => targets))) {
        const keys = new Set(rules.filter(({ targets }) => targets.includes(target)).map(({ key }) => key));
        expect([convention.name, target, listed.filter((key) => keys.has(key))]).toEqual([
          convention.name,
          target,
          [...keys],
        ]);
      }
    }
  });

  it('lists the attributes that set the session id in order of precedence', () => {
    expect(document).toMatch(
      /\*\*Session id\*\*: `honeyhive_session_id`, `honeyhive.session_id`, .*`session.id`, .*`gen_ai.conversation.id`/s,
    );
  });

  it('lists the libraries that were checked, and those of each convention', () => {
    expect(document).toContain('\n- **Python, 2026-11-26**: `a-tracer` 1.2.0 with a-client 3.4.5\n');
    expect(document).toContain('\n- **Python, recorded, 2026-11-26**: `a-framework` 1.2.0\n');
    const sectionOf = (title: string) => document.split(`\n## ${title}\n`)[1]?.split('\n## ')[0];
    expect(sectionOf('OpenInference')).toContain('Checked with `a-tracer`, `a-framework`.');
    expect(sectionOf('OpenLLMetry (Traceloop)')).not.toContain('Checked with');
  });
});
