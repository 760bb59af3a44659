// Checks the types of one folder, as `tsc -p CONFIG` does, but only in files of its own: what it imports from another folder is checked there, by
// that folder's tsconfig.json. Five runs of tsc check the engine five times.
import { relative, resolve } from 'node:path';
import ts from 'typescript';
import { root } from './paths';

function parsed(config: string): ts.ParsedCommandLine {
  const fail = (diagnostic: ts.Diagnostic): never => {
    throw new Error(words([diagnostic]));
  };
  const found = ts.getParsedCommandLineOfConfigFile(
    resolve(root, config),
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: fail },
  );
  if (!found) throw new Error(`${config} cannot be read`);
  return found;
}

const words = (diagnostics: readonly ts.Diagnostic[]): string =>
  ts.formatDiagnostics(diagnostics, {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => root,
    getNewLine: () => '\n',
  });

/** What is wrong in the files of a folder, and in those that belong to no folder. */
function problems(config: string, others: readonly string[]): readonly ts.Diagnostic[] {
  const { fileNames, options, errors } = parsed(config);
  const program = ts.createProgram(fileNames, options);
  const elsewhere = new Set(others.flatMap((other) => parsed(other).fileNames));
  const own = new Set(fileNames);
  const files = program.getSourceFiles().filter(({ fileName }) => own.has(fileName) || !elsewhere.has(fileName));
  return [
    ...errors,
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...files.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]),
  ];
}

const [config = '', ...others] = process.argv.slice(2);
const found = problems(
  config,
  others.filter((other) => other !== config),
);
process.stdout.write(words(found));
if (found.length > 0) {
  console.log(`${found.length} problems in ${relative(root, resolve(root, config))}`);
  process.exitCode = 1;
}
