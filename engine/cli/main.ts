#!/usr/bin/env node
/** The command line `explain-attention`. This folder is the only part of the engine that uses Node. */
import { readFileSync } from 'node:fs';
import {
  explainAttention,
  isFollowed,
  positionAt,
  statedFieldNotes,
  specFromText,
  traceToJson,
  validateSpec,
  type AttentionSpec,
  type Assembled,
  type AttentionTrace,
  type Problem,
  type Result,
  type StatedField,
} from '../index';
import { decoded, decodedWords } from '../explain';
import { setNameReader, readPositions, problemsWithRanges } from '../parse';
import { nameReader } from '../program';
import { withSettings } from '../spec';
import { fail, ok, plainText, t } from '../text';
import { readArguments, usage, type Arguments } from './arguments';
import { checkFile } from './check';
import { diagnoseFiles } from './doctor';
import { printKey, setUpClass } from './class';
import { attentionOfDocument, outline } from './formulas';
import { readMasks } from './mask';
import { serveTools } from './mcp';
import { explainModel } from './model';
import { gradeFolder } from './grade';
import { checkLessonFile, type Outcome } from './lesson';
import { chooseLanguage } from './locale';
import { printStep } from './print';
import { printCell } from '../write';
import { noAttentionNotes, pathOf, attentionOfPython } from './program';
import {
  readTokenizerChoice,
  resolveTokens,
  withTokenizer,
  type TokenizerChoice,
  type LocatedProblems,
} from './tokenizer';
import { byModel, provideAll, provideNamed } from './models';

declare const PACKAGE_VERSION: string;

/** Runs the program; returns its exit status: 0, 1 (bad input) or 2 (usage). */
setNameReader(nameReader);

async function main(given: readonly string[]): Promise<number> {
  const chosen = chooseLanguage(given, process.env);
  if ('usageError' in chosen) return misused(`${chosen.usageError}\n`);
  const { words } = chosen;
  const [command, ...rest] = words;
  if (['grade', 'lesson', 'class', 'key'].includes(command ?? '')) await provideAll();
  if (command === 'grade') return finished(gradeFolder(rest));
  if (command === 'lesson') return finished(checkLessonFile(rest));
  if (command === 'class') return finished(setUpClass(rest));
  if (command === 'key') return finished(printKey(rest));
  if (command === 'doctor') return finished(diagnoseFiles(rest));
  if (command === 'model') return finished(await explainModel(rest));
  if (command === 'mcp') return finished(await serveTools(rest, PACKAGE_VERSION));
  if (command === 'mask') return finished(readMasks(rest));
  if (command === 'check') return finished(await checkFile(rest, traceOf));
  const args = readArguments(words);
  if ('usageError' in args) return misused(`${args.usageError}\n\n${usage()}`);
  if (args.help || args.version) {
    process.stdout.write(args.help ? usage() : `${PACKAGE_VERSION}\n`);
    return 0;
  }
  const read = readInput(args);
  if ('usageError' in read) return misused(`${read.usageError}\n`);
  if (args.outline) {
    process.stdout.write(outline(args.input, read.text));
    return 0;
  }
  const choice = args.tokenizer === undefined ? undefined : readTokenizerChoice(args.tokenizer);
  if (typeof choice === 'string') return misused(`${choice}\n`);
  const found = await explain(args, choice, read.text);
  const input = args.input === undefined ? '--text' : pathOf(args.input);
  if ('usageError' in found) return misused(`${found.usageError}\n`);
  if (!('trace' in found)) {
    const status = report(found.file?.path ?? input, found.file?.text ?? read.text, found.problems);
    if (found.problems.some(({ code }) => code === 'code')) note(t('{0} explains it as text', '--as-text'));
    return status;
  }
  const unknown = unknownStep(args, found.trace);
  if (unknown) return misused(`${unknown}\n`);
  process.stdout.write(`${output(args, found, read.text)}\n`);
  report(input, read.text, found.trace.problems);
  const others = [...found.notes, ...found.trace.plan.notes].map(({ message }) => message);
  for (const message of [...found.interpretation, ...others, ...checkedStep(found.trace)]) note(message);
  for (const { message, range } of found.notExplained) {
    const at = positionAt(read.text, range?.start ?? 0);
    note(`${input}:${at.line}:${at.column}: ${message}`);
  }
  return 0;
}

/** What the step of a decoder was found to be beside the full pass. */
function checkedStep(trace: AttentionTrace): readonly string[] {
  const found = decoded(trace);
  return found ? [plainText(decodedWords(found, (x) => x.toPrecision(3)))] : [];
}

const note = (message: string): unknown => process.stderr.write(`${t('note: {0}', message)}\n`);

function finished({ status, out, error }: Outcome): number {
  process.stdout.write(out);
  process.stderr.write(error);
  return status;
}

function misused(message: string): number {
  process.stderr.write(`explain-attention: ${message}`);
  return 2;
}

function readInput(args: Arguments): { text: string } | { usageError: string } {
  if (args.text !== undefined) return { text: args.text };
  try {
    return { text: readFileSync(args.input === '-' ? 0 : pathOf(args.input ?? ''), 'utf8') };
  } catch (error) {
    return {
      usageError: t('cannot read {0}: {1}', args.input, error instanceof Error ? error.message : String(error)),
    };
  }
}

interface Explained {
  readonly trace: AttentionTrace;
  readonly notes: readonly Problem[];
  /** Notes on how the input was interpreted. */
  readonly interpretation: readonly string[];
  /** Parts of the input that are not explained. */
  readonly notExplained: readonly Problem[];
}

async function explain(
  args: Arguments,
  choice: TokenizerChoice | undefined,
  text: string,
): Promise<Explained | LocatedProblems | { readonly usageError: string }> {
  const readsCode = !args.asText && !choice && args.model === undefined;
  const program = readsCode ? attentionOfPython(args, text) : undefined;
  const read = program ?? specOf(text, args.asText);
  const found = (readsCode && !program && attentionOfDocument(args, text, read)) || read;
  if (!found.ok) return found;
  const missed = readsCode && !program ? noAttentionNotes(args, text) : [];
  const { spec, notes, said = [], unfollowed: notExplained = [] } = found.value;
  const { start } = spec;
  if (choice && start.from !== 'text')
    return { usageError: t('{0}: the input is no text, it starts from {1}', '--tokenizer', start.from) };
  if (args.model !== undefined && start.from !== 'text')
    return { usageError: t('{0}: the input is no text, it starts from {1}', '--model', start.from) };
  const modelled =
    args.model !== undefined && start.from === 'text' ? await byModel(start.text, args.model) : undefined;
  if (modelled && !modelled.ok) return modelled;
  const given = modelled?.value ?? spec;
  const chosen = choice ? { ...given, start: withTokenizer(start, choice) } : given;
  const changed = validateSpec(withSettings(chosen, args.set));
  if (!changed.ok) return changed;
  const ready = await resolveTokens(changed.value, choice);
  if (!('spec' in ready)) return ready;
  const unread = await provideNamed(ready.spec);
  if (unread.length) return { problems: unread };
  const trace = explainAttention(ready.spec);
  if (!trace.ok) return trace;
  const interpretation = [...missed, ...notes, ...said.flatMap((one) => statedNote(one, trace.value.spec))];
  return { trace: trace.value, notes: ready.notes, interpretation, notExplained };
}

/** The trace alone, for commands that compare with it. */
async function traceOf(args: Arguments, text: string): Promise<Result<AttentionTrace>> {
  const choice = args.tokenizer === undefined ? undefined : readTokenizerChoice(args.tokenizer);
  if (typeof choice === 'string') return fail({ code: 'tokenizer', message: choice });
  const found = await explain(args, choice, text);
  if ('usageError' in found) return fail({ code: 'usage', message: found.usageError });
  return 'trace' in found ? ok(found.trace) : { ok: false, problems: found.problems };
}

/** The note on a stated setting that is not applied, with the `--set` options that apply it. */
function statedNote(said: StatedField, spec: AttentionSpec): string[] {
  const set = Object.entries(said.change).map(([field, value]) => `--set ${field}=${value}`);
  return statedFieldNotes([said], spec).map((told) => (isFollowed(said, spec) ? told : `${told} (${set.join(' ')})`));
}

/** The spec of an input: JSON, or literals, or text. */
function specOf(text: string, asText: boolean): Result<Omit<Assembled, 'used'>> {
  if (asText || !isSpec(text)) return specFromText(text, undefined, { asText });
  const found = specFromJson(text);
  return found.ok ? { ok: true, value: { spec: found.value, notes: [] } } : found;
}

/** Whether the text is meant as a spec: a JSON object with a version, even if it is broken. It is then never explained as text. */
const isSpec = (text: string): boolean => /^\s*\{/.test(text) && /"version"\s*:/.test(text);

function specFromJson(text: string): Result<AttentionSpec> {
  const read = readPositions(text);
  if (!('places' in read)) return { ok: false, problems: [read] };
  const spec = validateSpec(JSON.parse(text));
  return spec.ok ? spec : { ok: false, problems: problemsWithRanges(text, spec.problems) };
}

function unknownStep(args: Arguments, trace: AttentionTrace): string | undefined {
  const known = trace.plan.steps.map((s) => s.id);
  const asked = [...(args.steps ?? []), ...args.cells.map((c) => c.step)];
  const unknown = asked.find((id) => !known.includes(id));
  if (unknown !== undefined) return t('no step {0}; the steps are {1}', unknown, known.join(', '));
  const outside = args.cells.find(({ step, index }) => !isIndexInside(trace, step, index));
  return (
    outside &&
    t('{0} is outside of {1}', `${outside.step}[${outside.index.join(',')}]`, shapeOf(trace, outside.step).join('×'))
  );
}

const shapeOf = (trace: AttentionTrace, id: string): readonly number[] =>
  trace.plan.steps.find((s) => s.id === id)?.shape ?? [];

function isIndexInside(trace: AttentionTrace, id: string, index: readonly number[]): boolean {
  const shape = shapeOf(trace, id);
  const lead = shape.length - index.length;
  return lead >= 0 && index.every((i, d) => i < (shape[lead + d] ?? 0));
}

function output(args: Arguments, { trace, notExplained }: Explained, text: string): string {
  if (args.json) {
    const json = traceToJson(trace);
    const located = notExplained.map((problem) => ({ ...problem, ...positionAt(text, problem.range?.start ?? 0) }));
    return JSON.stringify({ ...json, notes: [...json.notes, ...located] });
  }
  const { steps } = trace.plan;
  const wanted = args.steps ? steps.filter((s) => args.steps?.includes(s.id)) : args.cells.length ? [] : steps;
  const parts = wanted.map((step) => printStep(trace, step, args));
  parts.push(...args.cells.map((c) => printCell(trace, c.step, c.index, args.digits)));
  return parts.join('\n\n');
}

/** Each problem on standard error as `file:line:column: message`. */
function report(input: string, text: string, problems: readonly Problem[]): number {
  for (const p of problems) {
    const at = p.range ? positionAt(text, p.range.start) : undefined;
    const where = at ? `${input}:${at.line}:${at.column}: ` : `${input}: `;
    process.stderr.write(`${where}${p.message}${p.hint ? ` (${p.hint})` : ''}\n`);
  }
  return problems.length ? 1 : 0;
}

void main(process.argv.slice(2)).then((status) => (process.exitCode = status));
