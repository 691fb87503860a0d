/** The page of `docs/templates.md`, a template of nunjucks. */
export const TEMPLATES_PAGE = `# Templates

The \`criteria\` of an LLM metric are a template of Jinja2's language. Assay has its own parser and interpreter; they are compared with Jinja2 3.1.6 in its sandbox. This
page is generated from the tables in the code.

{% raw %}\`\`\`jinja
Question: {{ inputs.question }}
{% for message in inputs.messages if message.role != 'system' %}
- {{ message.role | upper }}: {{ message.content | default('', true) | truncate(500) }}
{% endfor %}
Answer: {{ outputs.answer | trim }}
{% if metadata.reference is defined %}Reference: {{ metadata.reference }}{% endif %}

Rate the answer from 1 to 5. End with the rating in double brackets, like [[3]].
\`\`\`{% endraw %}

## Variables

The fields of the event: \`inputs\`, \`outputs\`, \`feedback\`, \`metadata\`, \`metrics\`, \`config\` and \`user_properties\` are always objects. \`event_type\`, \`event_name\`, \`error\`,
\`event_id\`, \`session_id\`, \`parent_id\`, \`project_id\`, \`source\`, \`start_time\`, \`end_time\` and \`duration\` are \`None\` when the event has none. \`event\` holds all of them.

- Items of a list are written in brackets: \`messages[0].content\`. \`messages.0.content\` is refused when the template is parsed.
- What does not exist is undefined: it prints nothing, is false and has no items. Its attributes and items, arithmetic and \`tojson\` are errors: write
  \`{% raw %}{{ (inputs.user or {}).name }}{% endraw %}\` or test \`is defined\`.
- Text of an event is data. Template syntax in it is printed literally.
- Whole numbers are integers: \`3.0\` in an event prints \`3\`. A float that is written in a template prints as a float.
- A template may change lists and dicts with \`append\`, \`update\` and so on. The event does not change.

## Statements

\`for\` (with \`if\`, \`else\`, \`recursive\` and \`loop\`), \`if\`, \`set\` (also as a block, and with attributes of a \`namespace\`), \`with\`, \`macro\`, \`call\`, \`filter\`, \`raw\`, \`print\`, comments,
and white space control with \`-\`. A \`block\` renders its content.

## Filters

{% for name in filters %}\`{{ name }}\`{% if not loop.last %}, {% endif %}{% endfor %}

## Tests

{% for name in tests %}\`{{ name }}\`{% if not loop.last %}, {% endif %}{% endfor %}

## Functions

{% for name in functions %}\`{{ name }}\`{% if not loop.last %}, {% endif %}{% endfor %}

## Methods

{% for row in methods -%}
- {{ row.type }}: {% for name in row.names %}\`{{ name }}\`{% if not loop.last %}, {% endif %}{% endfor %}
{% endfor %}
## Limits

Of one rendering:

{% for row in limits -%}
- {{ row.name }}: {{ row.value }}
{% endfor %}
Beyond a limit the metric fails with \`template_render_error\`, like every other mistake. The message has the line. A search costs the sum of both lengths,
and an operation on long integers the product of theirs.

Templates are parsed and rendered in threads of their own, in which projects take turns. On a busy machine a rendering may wait for a core: it is stopped
after two seconds, tried once more, and then the evaluation is repeated later.

## Differences from Jinja2

- \`extends\`, \`include\`, \`import\`, \`from\`, \`autoescape\`, required blocks, \`super\`, \`self\` and extensions such as \`do\`, \`break\` and \`trans\` do not exist.
- The filters \`pprint\`, \`random\`, \`urlize\` and \`xmlattr\`, the function \`lipsum\`, the methods \`encode\`, \`format_map\`, \`translate\`, \`expandtabs\`, \`popitem\` and \`fromkeys\`, and escapes by
  character name (\`\\N{…}\`) do not exist.
- A dot followed by a digit is refused.
- Unknown filters and tests are refused when the template is parsed, also in branches that are not taken.
- An attribute of a dict is one of its keys, also when it has the name of a method that is not called. Methods that are not called, and attributes of numbers, functions
  and types, are undefined. So are all names with two underscores that are not keys.
- The results of \`map\`, \`select\`, \`batch\` and other lazy filters print like lists and can be visited repeatedly. The views of \`keys\`, \`values\` and \`items\` are copies.
- \`striptags\` resolves \`&amp;\`, \`&lt;\`, \`&gt;\`, \`&quot;\`, \`&apos;\`, \`&nbsp;\` and entities by number.
- \`range\` has at most {{ maxRange }} items, integers have at most about 4,300 digits, and \`casefold\` folds \`ß\` only.
- A lone surrogate in text is U+FFFD in \`urlencode\`.
`;
