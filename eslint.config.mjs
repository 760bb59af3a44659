import tseslint from 'typescript-eslint';
import { importX, createNodeResolver } from 'eslint-plugin-import-x';

// Elementary functions whose last bits differ between engines and processors: the engine has its own in engine/math/math.ts.
const inexact = [
  'exp',
  'expm1',
  'log',
  'log1p',
  'log2',
  'log10',
  'pow',
  'sin',
  'cos',
  'tan',
  'asin',
  'acos',
  'atan',
  'atan2',
  'sinh',
  'cosh',
  'tanh',
  'asinh',
  'acosh',
  'atanh',
  'cbrt',
  'hypot',
  'random',
];

const noInexactMath = [
  ...inexact.map((property) => ({
    selector: `MemberExpression[object.name='Math'][property.name='${property}']`,
    message: `Math.${property} differs between engines; use engine/math/math.ts (the same bytes everywhere).`,
  })),
  { selector: "BinaryExpression[operator='**']", message: '** is Math.pow; use engine/math/math.ts.' },
  { selector: "AssignmentExpression[operator='**=']", message: '** is Math.pow; use engine/math/math.ts.' },
];

const folder = (from) => ({ target: `./${from}`, from: '.' });

export default tseslint.config(
  { ignores: ['dist/', '.vscode-test/', 'node_modules/', 'test-results/', 'extension/examples/', 'test/fixtures/'] },
  ...tseslint.configs.strict,
  {
    files: ['**/*.ts'],
    plugins: { 'import-x': importX },
    settings: { 'import-x/resolver-next': [createNodeResolver({ extensions: ['.ts', '.d.ts', '.js', '.mjs'] })] },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/unified-signatures': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/no-invalid-void-type': 'off',
      'import-x/no-cycle': ['error', { ignoreExternal: true }],
      // Rule 1 of the design: who may import whom. Nothing imports test/.
      'import-x/no-restricted-paths': [
        'error',
        {
          zones: [
            {
              ...folder('engine'),
              except: ['./engine', './node_modules'],
              message: 'engine/ imports only itself and its libraries.',
            },
            {
              ...folder('webview'),
              except: ['./engine/index.ts', './webview', './node_modules'],
              message: 'webview/ imports engine/index and itself.',
            },
            {
              ...folder('extension'),
              except: [
                './engine/index.ts',
                // Activation's scan for attention's words, without the engine.
                './engine/python/index.ts',
                './extension',
                './webview/protocol/index.ts',
                './webview/lesson-protocol/index.ts',
                './node_modules',
              ],
              message:
                'extension/ imports vscode, engine/index, engine/python, webview/protocol and webview/lesson-protocol.',
            },
          ],
        },
      ],
    },
  },
  { files: ['engine/**/*.ts'], rules: { 'no-restricted-syntax': ['error', ...noInexactMath] } },
  // It scrolls the editor around the page too, which cuts the page's header.
  {
    files: ['webview/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'CallExpression[callee.property.name=/^scrollIntoView/]',
          message: 'scrollTo of webview/draw stays within the page.',
        },
      ],
    },
  },
);
