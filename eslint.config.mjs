import tseslint from 'typescript-eslint';
import prettier from 'eslint-config-prettier';

/** Rules of the style guide (docs/style-guide.md) for every TypeScript file. Those that need types are in .oxlintrc.json. */
const style = {
  'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
  'max-lines-per-function': ['error', { max: 50, skipBlankLines: true, skipComments: true }],
  'max-depth': ['error', 3],
  'max-params': ['error', 4],
  complexity: ['error', 15],
  eqeqeq: ['error', 'always'],
  'no-console': 'error',
  'no-param-reassign': 'error',
  '@typescript-eslint/no-explicit-any': 'error',
  '@typescript-eslint/consistent-type-imports': 'error',
  '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
  'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true, named: true } }],
  'no-restricted-properties': [
    'error',
    {
      object: 'process',
      property: 'env',
      message: 'only main.ts sees the process: take configuration as an argument',
    },
    { object: 'process', property: 'exit', message: 'only main.ts and libs/runtime end the process' },
  ],
};

export default tseslint.config(
  {
    ignores: [
      '**/dist/**',
      '**/node_modules/**',
      '**/.assay/**',
      'reports/**',
      '**/*.cjs',
      '**/*.mjs',
      'test/fixtures/**',
    ],
  },
  {
    files: ['services/console/**/*.{ts,tsx}'],
    extends: [...tseslint.configs.recommended, prettier],
    rules: {
      ...style,
      'no-restricted-globals': [
        'error',
        ...['fetch', 'XMLHttpRequest', 'EventSource', 'WebSocket'].map((name) => ({
          name,
          message: 'only src/api/ talks to the server',
        })),
      ],
      'no-restricted-syntax': [
        'error',
        {
          selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']",
          message: 'text is rendered as elements: no string becomes HTML',
        },
      ],
    },
  },
  { files: ['services/console/src/api/**/*.ts'], rules: { 'no-restricted-globals': 'off' } },
  {
    files: ['**/*.ts'],
    ignores: ['services/console/**'],
    extends: [...tseslint.configs.recommended, prettier],
    rules: style,
  },
  {
    files: ['**/main.ts', 'libs/runtime/**/*.ts', '**/test/**/*.ts', '**/*.engines.test.ts'],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    files: ['libs/event-store/src/sql/{filter,read}/**/*.ts'],
    ignores: ['libs/event-store/src/sql/read/rows/visible.ts', '**/*.test.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...['TemplateElement[value.raw', 'Literal[value'].map((value) => ({
          selector: `${value}=/\\bFINAL\\b/]`,
          message: 'only read/rows/visible.ts knows how the engine chooses the newest version of a row',
        })),
      ],
    },
  },
  {
    files: ['libs/event-store/src/*-port.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'TSInterfaceDeclaration[id.name=/Port$/] > TSInterfaceBody[body.length>12]',
          message: 'a port has at most 12 methods: look for a noun for some of them (ADR 069)',
        },
      ],
    },
  },
  {
    // A test file reads as a list of sentences: one `describe` may be long.
    files: ['**/*.test.ts', '**/*-contract.ts', '**/test/**/*.ts'],
    rules: {
      'max-lines-per-function': 'off',
      'max-lines': ['error', { max: 600, skipBlankLines: true, skipComments: true }],
    },
  },
);
