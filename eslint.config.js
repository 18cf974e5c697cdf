import js from '@eslint/js'
import { defineConfig, globalIgnores } from 'eslint/config'
import tseslint from 'typescript-eslint'

// The members of Math that ECMAScript defines to the last bit. Everything else (sin, pow, hypot, random, …) may differ
// between engines, and the same input must give the same bits on all of them.
const exact = 'abs|ceil|clz32|floor|fround|imul|max|min|round|sign|sqrt|trunc|E|LN2|LN10|LOG2E|LOG10E|PI|SQRT1_2|SQRT2'
const engineDependent = 'depends on the JavaScript engine: use the functions of core/src/math (or * for powers).'

export default defineConfig(
  // AssemblyScript is another language, which asc checks.
  globalIgnores([
    '**/dist/',
    'packages/simd/assembly/',
    'coverage/',
    'site/.pages/',
    'site/.reference*/',
    'site/.vitepress/cache/',
  ]),
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.{js,mjs,ts}'],
    extends: [js.configs.recommended, tseslint.configs.recommended],
    rules: {
      eqeqeq: 'error',
      'no-var': 'error',
      'object-shorthand': 'error',
      'prefer-const': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'all' },
      ],
    },
  },
  {
    files: ['**/*.ts'],
    languageOptions: {
      parserOptions: {
        project: [
          'packages/*/tsconfig.json',
          'packages/*/tsconfig.test.json',
          'examples/tsconfig.json',
          'examples/gallery/tsconfig.json',
          'bench/tsconfig.json',
          'site/tsconfig.json',
          'tools/tsconfig.json',
        ],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      'no-undef': 'off', // tsc does this
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/ban-ts-comment': ['error', { 'ts-expect-error': 'allow-with-description' }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
    },
  },
  {
    files: ['**/*.{js,mjs}'],
    languageOptions: { globals: { console: 'readonly', process: 'readonly' } },
  },
  {
    files: ['packages/*/src/**/*.ts'],
    rules: {
      'no-console': 'error',
      'no-restricted-globals': ['error', { name: 'Date', message: 'A step must not depend on the clock.' }],
      'no-restricted-syntax': [
        'error',
        {
          selector: `MemberExpression[object.name='Math']:not([property.name=/^(${exact})$/])`,
          message: `This member of Math ${engineDependent}`,
        },
        {
          selector: ':not(MemberExpression, TSTypeQuery) > Identifier[name="Math"]',
          message: 'Write Math.name in full, so that its members can be checked.',
        },
        { selector: '[operator=/^\\*\\*=?$/]', message: `The ** operator ${engineDependent}` },
      ],
      // Kernels with gl-matrix cost twice as much; its types are welcome everywhere, its code only at an edge/.
      '@typescript-eslint/no-restricted-imports': [
        'error',
        { paths: [{ name: 'gl-matrix', message: 'Import only its types here.', allowTypeImports: true }] },
      ],
    },
  },
  {
    files: ['packages/*/src/edge/**/*.ts'],
    rules: { '@typescript-eslint/no-restricted-imports': 'off' },
  },
)
