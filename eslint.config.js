import tseslint from 'typescript-eslint'

const floating = {
  checkThenables: true,
  // tap waits for its subtests by itself.
  allowForKnownSafePromises: [{ from: 'package', package: '@tapjs/core', name: 'PromiseWithSubtest' }],
}

export default tseslint.config(
  { ignores: ['node_modules/', 'dist/', '.tap/', '.data*/', 'examples/', 'src/client/paths.d.ts'] },
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      // A forgotten `await` is a lost write: query builders are thenables, not promises, so they are asked for too.
      '@typescript-eslint/no-floating-promises': ['error', floating],
      '@typescript-eslint/no-misused-promises': [
        'error',
        { checksVoidReturn: { arguments: false, properties: false } },
      ],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowNullish: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // An assertion that says what a literal is for reads better than the annotation it would need.
      '@typescript-eslint/no-unnecessary-type-assertion': 'off',
      // An async function without await still answers a promise, and turns a throw into a rejection.
      '@typescript-eslint/require-await': 'off',
      // Rows of a query are `any` until the function that asked gives them a type; its signature is the check.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
    },
  },
  { files: ['test/**/*.ts'], rules: { '@typescript-eslint/unbound-method': 'off' } },
)
