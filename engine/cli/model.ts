// `explain-attention model FOLDER --text …`: what the heads of a model from a folder do on a text.
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { diskFolder, named, openCheckpoint, modelKernels, notesOf, runText, specOfHead, startSecondThread, tokenizerIn, type Checkpoint, type CheckpointFolder, type PlacedHead, type ScoredKind, type TextRun } from '../checkpoint'; // prettier-ignore
import { explainAttention, type AttentionSpec } from '../index';
import { counted, ok, t, type Problem, type Result } from '../text';
import { loadTokenizer, type Tokenizer } from '../tokens';
import { errorText, failedOutcome, type Outcome } from './lesson';
import { printStep } from './print';
import { printCell } from '../write';
import { readOptionWords } from './words';

const modelUsage = (): string =>
  t(
    `Usage: explain-attention model FOLDER --text TEXT [--target TEXT]
       explain-attention model FOLDER --text TEXT --layer L --head H [--cell STEP[I,J]] [--spec FILE]

Reads a model from a folder as Hugging Face writes it (config.json, model.safetensors or its shards, tokenizer.json), runs TEXT through it, and
says what each head does here: looks at the token before (previous), at what followed the same token earlier (induction), at that token itself
(duplicate), at the first token (sink), at its own (self), at the next. Scores are mean weights; a head is named from {0} on.
Layers and heads count from 0, as in the file. No code of the folder is run, and nothing is written or sent.

Options:
  --second TEXT       the second of a pair of texts (BERT, RoBERTa)
  --target TEXT       what the decoder of a model with two stacks reads
  --ids 1,2,3         token ids in place of TEXT, for a folder without tokenizer.json
  --layer L --head H  this head, from its real Q, K and V: every step, as of any input
  --stack NAME        encoder or decoder, where the model has both (default: the last)
  --crosses           the head of the layer that looks from the decoder at the encoder
  --cell STEP[I,J]    what made one cell of that head
  --spec FILE         writes that head as a spec, which the panel and this program open
  --digits N          digits after the point (default 4)
  --json              {"tokens", "heads": [{"stack", "layer", "head", "last": {"key", "weight"}, "kind", "scores"}], "next": [{"token", "probability"}]}

Exit status: 0; 1 a model that is not read, with the reason; 2 usage.
`,
    named,
  );

type Options = Readonly<Partial<Record<'folder' | 'text' | 'second' | 'target' | 'ids' | 'layer' | 'head' | 'stack' | 'crosses' | 'cell' | 'spec' | 'digits' | 'json', string>>>; // prettier-ignore

/** Runs the command with the words after `model`. */
export async function explainModel(words: readonly string[]): Promise<Outcome> {
  if (words.includes('--help') || words.includes('-h')) return { status: 0, out: modelUsage(), error: '' };
  const asked = readOptionWords(words, ['folder'], ['text', 'second', 'target', 'ids', 'layer', 'head', 'stack', 'cell', 'spec', 'digits'], ['json', 'crosses']); // prettier-ignore
  if (typeof asked === 'string') return misused(asked);
  const options = asked as Options;
  const wrong = wrongUse(options);
  if (wrong !== undefined) return misused(wrong);
  const folder = diskFolder({ open, stat }, options.folder ?? '');
  try {
    return await explained(options, folder);
  } catch (error) {
    return refusedBy([{ code: 'checkpoint', message: errorText(error) }]);
  } finally {
    await folder.close();
  }
}

const misused = (message: string): Outcome =>
  failedOutcome(2, `explain-attention model: ${message}\n\n${modelUsage()}`);
const refusedBy = (problems: readonly Problem[]): Outcome =>
  failedOutcome(1, problems.map(({ message, hint }) => `explain-attention model: ${message}${hint ? ` (${hint})` : ''}\n`).join('')); // prettier-ignore

function wrongUse({ folder = '', text, ids, layer, head, cell, spec, stack, digits }: Options): string | undefined {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return t('{0} is no folder', folder);
  if (text === undefined && ids === undefined) return t('{0} is missing', '--text');
  if ((layer === undefined) !== (head === undefined)) return t('--layer and --head belong together');
  if ((cell ?? spec) !== undefined && head === undefined) return t('--cell and --spec need --layer and --head');
  if (stack !== undefined && !['encoder', 'decoder', 'layers'].includes(stack)) return t('--stack is encoder or decoder'); // prettier-ignore
  const counts = [layer, head, digits].filter((one) => one !== undefined);
  const odd = counts.find((one) => !/^\d{1,4}$/.test(one));
  return odd === undefined ? undefined : t('{0} is no whole number from 0', odd);
}

interface Ran {
  readonly checkpoint: Checkpoint;
  readonly tokenizer?: Result<Tokenizer>;
  readonly run: TextRun;
}

async function runModel({ text = '', second, target, ids }: Options, folder: CheckpointFolder): Promise<Result<Ran>> {
  const opened = await openCheckpoint(folder);
  if (!opened.ok) return opened;
  const checkpoint = opened.value;
  const bundled = () => loadTokenizer('gpt2', (name) => readFile(join(__dirname, 'vocabularies', name)));
  const tokenizer = await tokenizerIn(folder, checkpoint, bundled);
  const asked = { text, ...(second !== undefined && { second }), ...(target !== undefined && { target }), ...(ids !== undefined && { ids }) };
  const bundle = join(__dirname, 'model.js');
  const thread = existsSync(bundle) ? startSecondThread(bundle) : undefined;
  const run = await runText(checkpoint, tokenizer, asked, { kernels: modelKernels(), ...(thread && { second: thread }) });
  thread?.end();
  return run.ok ? ok({ checkpoint, ...(tokenizer && { tokenizer }), run: run.value }) : run;
} // prettier-ignore

async function explained(options: Options, folder: CheckpointFolder): Promise<Outcome> {
  const ran = await runModel(options, folder);
  if (!ran.ok) return refusedBy(ran.problems);
  const note = noteOf(ran.value);
  if (options.layer === undefined) return { status: 0, out: options.json ? asJson(ran.value) : overview(ran.value), error: note }; // prettier-ignore
  const found = chosen(options, ran.value);
  return found.ok ? { ...shown(options, found.value), error: note } : refusedBy(found.problems);
}

function noteOf({ checkpoint, tokenizer, run: { notFinite } }: Ran): string {
  return [...notesOf(checkpoint, tokenizer), ...(notFinite === undefined ? [] : [notFinite])]
    .map((note) => `${t('note: {0}', note)}\n`)
    .join('');
}

const placeOf = ({ stack, layer, head, crosses }: PlacedHead): string =>
  `${stack === 'layers' ? '' : `${stack} `}${t('layer {0}, head {1}', layer, head)}${crosses ? `, ${t('at the encoder')}` : ''}`; // prettier-ignore

function overview({ checkpoint, run }: Ran): string {
  const { architecture, parameters, dtypes } = checkpoint;
  const counts = architecture.stacks.map(({ layers }) => layers.length).join(' + ');
  const heads = run.heads.filter(({ stack, layer, crosses }) => stack === run.heads[0]?.stack && layer === 0 && !crosses).length; // prettier-ignore
  const lines = [
    `${architecture.family}: ${t('{0} layers of {1} heads, width {2}, {3} million parameters in {4}', counts, heads, architecture.width, (parameters / 1e6).toFixed(1), dtypes.join(', '))}`, // prettier-ignore
    `${counted(run.first.tokens.length, 'token')}: ${run.first.tokens.join(' | ')}`,
    ...(run.second ? [`${t('decoder')}: ${run.second.tokens.join(' | ')}`] : []),
    '',
    ...kindLines(run),
    ...nextLines(architecture, run),
  ];
  return `${lines.join('\n')}\n`;
}

/** Heads by kind, the largest score first. */
function kindLines(run: TextRun): readonly string[] {
  const { heads } = run;
  const kinds = ['previous', 'induction', 'duplicate', 'sink', 'self', 'next'] as const;
  const lines = kinds.flatMap((kind) => {
    const own = heads.filter(({ scored }) => scored?.kind === kind).sort((a, b) => scoreOf(b, kind) - scoreOf(a, kind));
    return own.length === 0 ? [] : [`${kind}:`, ...own.map((head) => `  ${scoreOf(head, kind).toFixed(2)}  ${placeOf(head)}${basisOf(head, kind)}  ${lookOf(head, run)}`)]; // prettier-ignore
  });
  const spoilt = heads.filter(({ hasNaN }) => hasNaN).length;
  const rest = heads.filter(({ scored, hasNaN }) => !hasNaN && (!scored || scored.kind === 'none')).length;
  return [
    ...lines,
    ...(rest > 0 ? [rest === 1 ? t('one head does none of this here') : t('{0} heads do none of this here', rest)] : []), // prettier-ignore
    ...(spoilt > 0 ? [spoilt === 1 ? t('weights of one head are NaN') : t('weights of {0} heads are NaN', spoilt)] : []), // prettier-ignore
  ];
}

/** Where the last token looks most: `t → · 0.87`. */
function lookOf({ stack, crosses, last: { key, weight } }: PlacedHead, { first, second }: TextRun): string {
  const own = stack === 'decoder' && second ? second : first;
  return `${own.tokens.at(-1) ?? ''} → ${(crosses ? first : own).tokens[key] ?? ''} [${key}] ${weight.toFixed(2)}`;
}

const scoreOf = ({ scored }: PlacedHead, kind: ScoredKind): number => scored?.scores[kind] ?? NaN;

/** How many rows a score of repeated tokens is a mean of. */
const basisOf = ({ scored }: PlacedHead, kind: string): string =>
  kind === 'induction' || kind === 'duplicate' ? ` (${counted(scored?.repeats ?? 0, 'row')})` : '';

function nextLines({ predicts }: Checkpoint['architecture'], { predictions }: TextRun): readonly string[] {
  if (predictions.length === 0) return [];
  const what = predicts === 'next' ? t('next token') : t('at the last token');
  return ['', `${what}: ${predictions.map(({ token, probability }) => `${token} ${percent(probability)}`).join('  ')}`]; // prettier-ignore
}

/** `19.2 %`; a share that would round to 0.0 says so. */
const percent = (share: number): string => (share < 0.0005 ? '< 0.1 %' : `${(100 * share).toFixed(1)} %`);

function asJson({ run }: Ran): string {
  const heads = run.heads.map(({ stack, layer, head, crosses, hasNaN, scored, last }) => ({
    stack,
    layer,
    head,
    ...(crosses && { crosses }),
    last,
    ...(hasNaN && { hasNaN }),
    ...(scored && { kind: scored.kind, scores: scored.scores }),
  }));
  const tokens = { tokens: run.first.tokens, ...(run.second && { target: run.second.tokens }) };
  return `${JSON.stringify({ ...tokens, heads, next: run.predictions })}\n`;
}

/** The spec of the head that was asked for. */
function chosen({ layer, head, stack, crosses }: Options, { checkpoint, run }: Ran): Result<AttentionSpec> {
  const last = checkpoint.architecture.stacks.at(-1)?.name ?? 'layers';
  const place = { layer: Number(layer), head: Number(head), ...(crosses !== undefined && { crosses: true as const }) };
  const found = run.headAt({ stack: (stack as PlacedHead['stack'] | undefined) ?? last, ...place });
  return found.ok ? ok(specOfHead(found.value)) : found;
}

function shown({ cell, spec: file, digits = '4', json }: Options, spec: AttentionSpec): Outcome {
  const trace = explainAttention(spec);
  if (!trace.ok) return refusedBy(trace.problems);
  if (file !== undefined) writeFileSync(file, `${JSON.stringify(spec)}\n`);
  if (json) return { status: 0, out: `${JSON.stringify(spec)}\n`, error: '' };
  const asked = /^([\w.]+)\[(\d+),(\d+)\]$/.exec(cell ?? '');
  const { steps } = trace.value.plan;
  if (cell !== undefined && !steps.some(({ id }) => id === asked?.[1]))
    return refusedBy([{ code: 'cell', message: t('no step {0}; the steps are {1}', cell, steps.map(({ id }) => id).join(', ')) }]); // prettier-ignore
  if (asked) return { status: 0, out: `${printCell(trace.value, asked[1] ?? '', [Number(asked[2]), Number(asked[3])], Number(digits))}\n`, error: '' }; // prettier-ignore
  const layout = { digits: Number(digits), columns: false };
  return { status: 0, out: `${steps.map((step) => printStep(trace.value, step, layout)).join('\n\n')}\n`, error: '' };
}
