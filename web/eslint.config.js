import js from '@eslint/js'
import svelte from 'eslint-plugin-svelte'
import globals from 'globals'
import ts from 'typescript-eslint'

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
)
