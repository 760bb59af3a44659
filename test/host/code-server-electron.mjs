#!/usr/bin/env node
// An executable for `runTests({ vscodeExecutablePath })` of @vscode/test-electron: see electron.ts.
import { createRequire } from 'node:module';
import 'tsx/cjs';

const { main } = createRequire(import.meta.url)('./electron.ts');
await main(process.argv.slice(2));
