import { parseMatricesPaced, specFromJson, specFromTextPaced } from '../parse';
import { planOf } from '../plan';
import { hasAttentionCode } from '../python';
import { overBudget, runReferencePaced, type AttentionTrace } from '../run';
import { validateSpec, withSettings, type AttentionSpec } from '../spec';
import { fail, ok, positionAt, t, type Problem, type Result } from '../text';
import { problemLine, type Input, type Lines, type ToolHost } from './tool';

/** What is explained: a text, or a file by its path. */
export interface Source {
  readonly text: string;
  readonly path?: string;
  /** Whether words of attention stand in code of it. */
  readonly isProgram: boolean;
}

const textOf = (input: Input, name: string): string | undefined => {
  const value = input[name];
  return typeof value === 'string' ? value : undefined;
};

export async function sourceOf(input: Input, host: ToolHost): Promise<Result<Source>> {
  const [text, path] = [textOf(input, 'text'), textOf(input, 'file')];
  if ((text === undefined) === (path === undefined))
    return fail({ code: 'input', message: t('expected either {0} or {1}', 'text', 'file') });
  const read = path === undefined ? ok(text ?? '') : await host.read(path);
  if (!read.ok) return read;
  const isProgram = (path === undefined || path.endsWith('.py')) && hasAttentionCode(read.value);
  return ok({ text: read.value, isProgram, ...(path !== undefined && { path }) });
}

/** An attention, and what has to be known of how it was read. */
export interface ReadAttention {
  readonly spec: AttentionSpec;
  readonly notes: readonly string[];
}

/** The attention of a source: the one on a line, else the last. `set` changes fields of it. */
export async function attentionOf(
  source: Source,
  { line, set }: { readonly line?: unknown; readonly set?: unknown },
  host: ToolHost,
): Promise<Result<ReadAttention>> {
  const changes = Object.entries((set ?? {}) as Input).map(([path, value]) => ({ path, value }));
  const program = source.isProgram ? await ofProgram(source, line, host) : undefined;
  if (program && (!program.ok || changes.length === 0)) return program;
  if (program) return fail({ code: 'set', message: t('No field can be set of what code does: change the code.') });
  if (line !== undefined)
    return fail({ code: 'line', message: t('{0} is for code, and there is none here that computes attention', 'line') });
  const read = await ofMatrices(source.text, host);
  if (!read.ok || changes.length === 0) return read;
  const changed = validateSpec(withSettings(read.value.spec, changes));
  return changed.ok ? ok({ ...read.value, spec: changed.value }) : changed;
} // prettier-ignore

/** Undefined where the code has no attention. */
async function ofProgram(
  { text, path }: Source,
  line: unknown,
  host: ToolHost,
): Promise<Result<ReadAttention> | undefined> {
  const at = line === undefined ? undefined : lineRange(text, Number(line));
  if (line !== undefined && !at) return fail({ code: 'line', message: t('there is no line {0}', Number(line)) });
  const reply = await host.ask('attention', { text, ...(at && { at }) }, path);
  if (!reply.ok) return reply;
  const found = reply.value;
  if (found.is === 'refused') return fail(...found.problems.map((problem) => placed(text, problem)));
  if (found.is === 'none')
    return at && fail({ code: 'line', message: t('no attention is computed on line {0}', Number(line)) });
  const { spec, all, which, notes } = found;
  const others = all.map(({ label, span }) => `${t('line {0}', positionAt(text, span.start).line)}: ${label}`);
  return ok({
    spec,
    notes: [
      ...(all.length > 1 ? [t('Attention {0} of {1}: {2}', which + 1, all.length, others.join('; '))] : []),
      ...(spec.start.from === 'program' && spec.start.seed !== undefined ? [t('The code does not say all numbers: random ones stand in for them.')] : []),
      ...notes.map((note) => problemLine(placed(text, note))),
    ],
  }); // prettier-ignore
}

/** A problem with its line in front. */
const placed = (text: string, problem: Problem): Problem =>
  problem.range
    ? { ...problem, message: `${t('line {0}', positionAt(text, problem.range.start).line)}: ${problem.message}` }
    : problem;

async function ofMatrices(text: string, host: ToolHost): Promise<Result<ReadAttention>> {
  const json = specFromJson(text);
  if (json) return json.ok ? ok({ spec: json.value.spec, notes: [] }) : fail(...json.problems.map((one) => placed(text, one)));
  const read = await host.run(specFromTextPaced(text));
  if (!read.ok) return fail(...read.problems.map((one) => placed(text, one)));
  const { spec, notes, unfollowed = [] } = read.value;
  const random = spec.start.from === 'text' ? [t('No matrix was found: this is a text, with random weights.')] : [];
  return ok({ spec, notes: [...random, ...notes, ...unfollowed.map((one) => problemLine(placed(text, one)))] });
} // prettier-ignore

/** The numbers of all steps, by the fixed-order reference. */
export async function traceOf(spec: AttentionSpec, host: ToolHost): Promise<Result<AttentionTrace>> {
  const plan = planOf(spec);
  if (!plan.ok) return plan;
  const large = overBudget(plan.value, spec.dtype);
  return large ? fail(large) : host.run(runReferencePaced(spec, plan.value));
}

/** Matrices that are written in a text. */
export const matricesOf = async (text: string, host: ToolHost) => (await host.run(parseMatricesPaced(text))).matrices;

/** Notes as lines, each once. */
export const noteLines = (notes: readonly string[]): readonly string[] =>
  [...new Set(notes)].map((note) => t('note: {0}', note));

export const lines = (...all: readonly string[]): Lines => ok(all);

function lineRange(text: string, line: number): { readonly start: number; readonly end: number } | undefined {
  let start = 0;
  for (let n = 1; n < line; n++) {
    const end = text.indexOf('\n', start);
    if (end < 0) return undefined;
    start = end + 1;
  }
  const end = text.indexOf('\n', start);
  return { start, end: end < 0 ? text.length : end };
}
