import js from '@eslint/js'
import svelte from 'eslint-plugin-svelte'
import globals from 'globals'
import ts from 'typescript-eslint'

/** What the rules know the rules tell: tables draw, and take no code, token or place's name apart. */
const TAKING_APART =
  'split|slice|substring|substr|startsWith|endsWith|charAt|charCodeAt|match|matchAll|exec|test|replace|replaceAll'
const told = 'The description of the game says it (board.card, board.book); see web/README.md.'
/** Pages and what serves them read addresses and records, but nothing that goes by these names. */
const CODES = '/^(code|card|token|place|stone)$/'
const CALLED_SO = ['callee.object.name', 'callee.object.property.name', 'arguments.0.name']
const namesStayWhole = {
  files: ['src/**'],
  rules: {
    'no-restricted-syntax': [
      'error',
      ...CALLED_SO.map((where) => ({
        selector: `CallExpression[${where}=${CODES}][callee.property.name=/^(${TAKING_APART})$/]`,
        message: told,
      })),
    ],
  },
}
const onlyTold = {
  files: ['src/games/**'],
  ignores: ['src/games/*/Cover.svelte'],
  rules: {
    'no-restricted-syntax': [
      'error',
      { selector: `CallExpression[callee.property.name=/^(${TAKING_APART})$/]`, message: told },
      { selector: 'CallExpression[callee.name=/^(parseInt|parseFloat|RegExp)$/]', message: told },
      { selector: 'NewExpression[callee.name=RegExp]', message: told },
      { selector: 'Literal[regex]', message: told },
      {
        selector: 'MemberExpression[computed=true][object.name=/^(code|card|token|place)$/]',
        message: told,
      },
    ],
  },
}

export default ts.config(
  { ignores: ['node_modules', 'engine/dist'] },
  js.configs.recommended,
  ...ts.configs.strict,
  ...svelte.configs.recommended,
  { languageOptions: { globals: { ...globals.browser, ...globals.node } } },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser } },
  },
  {
    rules: {
      'max-lines': ['error', 400],
      'no-irregular-whitespace': ['error', { skipTemplates: true }], // French has spaces that do not break
      'no-undef': 'off', // TypeScript sees to that
      'svelte/no-navigation-without-resolve': 'off', // no SvelteKit here
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  namesStayWhole,
  onlyTold,
)
