// `explain-attention model FOLDER --text …`: what the heads of a model from a folder do on a text.
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { mostProbable, named, scoreHead, specOfHead, type LayerAttention, type ScoredHead } from '../checkpoint';
import { explainAttention, type AttentionSpec } from '../index';
import { counted, fail, ok, t, type Problem, type Result } from '../text';
import { folderAt } from './folder';
import { errorText, failedOutcome, type Outcome } from './lesson';
import { runModel, type Ran, type Read } from './model-run';
import { printStep } from './print';
import { printCell } from './print-cell';
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
  --target TEXT       what the decoder of a model with two stacks reads
  --ids 1,2,3         token ids in place of TEXT, for a folder without tokenizer.json
  --layer L --head H  this head, from its real Q, K and V: every step, as of any input
  --stack NAME        encoder or decoder, where the model has both (default: the last)
  --crosses           the head of the layer that looks from the decoder at the encoder
  --cell STEP[I,J]    what made one cell of that head
  --spec FILE         writes that head as a spec, which the panel and this program open
  --digits N          digits after the point (default 4)
  --json              {"tokens", "heads": [{"stack", "layer", "head", "kind", "scores"}], "next": [{"token", "probability"}]}

Exit status: 0; 1 a model that is not read, with the reason; 2 usage.
`,
    named,
  );

type Options = Readonly<Partial<Record<'folder' | 'text' | 'target' | 'ids' | 'layer' | 'head' | 'stack' | 'crosses' | 'cell' | 'spec' | 'digits' | 'json', string>>>; // prettier-ignore

/** Runs the command with the words after `model`. */
export async function explainModel(words: readonly string[]): Promise<Outcome> {
  if (words.includes('--help') || words.includes('-h')) return { status: 0, out: modelUsage(), error: '' };
  const asked = readOptionWords(words, ['folder'], ['text', 'target', 'ids', 'layer', 'head', 'stack', 'cell', 'spec', 'digits'], ['json', 'crosses']); // prettier-ignore
  if (typeof asked === 'string') return misused(asked);
  const options = asked as Options;
  const wrong = wrongUse(options);
  if (wrong !== undefined) return misused(wrong);
  const folder = folderAt(options.folder ?? '');
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

async function explained(options: Options, folder: ReturnType<typeof folderAt>): Promise<Outcome> {
  const ran = await runModel(options, folder);
  if (!ran.ok) return refusedBy(ran.problems);
  const note = noteOf(ran.value);
  if (options.layer === undefined) return { status: 0, out: options.json ? asJson(ran.value) : overview(ran.value), error: note }; // prettier-ignore
  const found = chosen(options, ran.value);
  return found.ok ? { ...shown(options, found.value), error: note } : refusedBy(found.problems);
}

const noteOf = ({ result: { notFinite } }: Ran): string =>
  notFinite === undefined ? '' : `${t('note: {0}', t('numbers are NaN or infinite from {0} on', notFinite))}\n`;

/** A head with what was measured of it; heads that look across stacks are not scored. */
interface Head {
  readonly attention: LayerAttention;
  readonly head: number;
  readonly scored?: ScoredHead;
}

const idsOfStack = ({ first, second }: Ran, { stack }: LayerAttention): Read => (stack === 'decoder' && second ? second : first); // prettier-ignore

const headsOf = (ran: Ran): readonly Head[] =>
  ran.attentions.flatMap((attention) =>
    attention.weights.map((weights, head) => ({
      attention,
      head,
      ...(!attention.part.crosses && { scored: scoreHead(weights, idsOfStack(ran, attention).ids) }),
    })),
  );

const placeOf = ({ attention: { stack, layer, part }, head }: Head): string =>
  `${stack === 'layers' ? '' : `${stack} `}${t('layer {0}, head {1}', layer, head)}${part.crosses ? `, ${t('at the encoder')}` : ''}`; // prettier-ignore

function overview(ran: Ran): string {
  const { checkpoint, first, second } = ran;
  const { architecture, parameters, dtypes } = checkpoint;
  const counts = architecture.stacks.map(({ layers }) => layers.length).join(' + ');
  const heads = ran.attentions[0]?.part.heads ?? 0;
  const lines = [
    `${architecture.family}: ${t('{0} layers of {1} heads, width {2}, {3} million parameters in {4}', counts, heads, architecture.width, (parameters / 1e6).toFixed(1), dtypes.join(', '))}`, // prettier-ignore
    `${counted(first.tokens.length, 'token')}: ${first.tokens.join(' | ')}`,
    ...(second ? [`${t('decoder')}: ${second.tokens.join(' | ')}`] : []),
    '',
    ...kindLines(headsOf(ran)),
    ...nextLines(ran),
  ];
  return `${lines.join('\n')}\n`;
}

/** Heads by kind, the largest score first. */
function kindLines(heads: readonly Head[]): readonly string[] {
  const kinds = ['previous', 'induction', 'duplicate', 'sink', 'self', 'next'] as const;
  const lines = kinds.flatMap((kind) => {
    const own = heads.filter(({ scored }) => scored?.kind === kind).sort((a, b) => scoreOf(b, kind) - scoreOf(a, kind));
    return own.length === 0 ? [] : [`${kind}:`, ...own.map((head) => `  ${scoreOf(head, kind).toFixed(2)}  ${placeOf(head)}${basisOf(head, kind)}`)]; // prettier-ignore
  });
  const rest = heads.filter(({ scored }) => !scored || scored.kind === 'none').length;
  return [...lines, ...(rest > 0 ? [t('{0} heads do none of this here', rest)] : [])];
}

const scoreOf = ({ scored }: Head, kind: keyof ScoredHead['scores']): number => scored?.scores[kind] ?? NaN;

/** How many rows a score of repeated tokens is a mean of. */
const basisOf = ({ scored }: Head, kind: string): string =>
  kind === 'induction' || kind === 'duplicate' ? ` (${counted(scored?.repeats ?? 0, 'row')})` : '';

/** Tokens that are listed as predictions. */
const listed = 5;

function predictions({ result: { logits }, spelled, kernels }: Ran): readonly { token: string; probability: number }[] {
  const [row] = logits ?? [];
  if (!row) return [];
  return mostProbable(kernels, row, listed).map(({ id, probability }) => ({ token: spelled(id), probability }));
}

function nextLines(ran: Ran): readonly string[] {
  const found = predictions(ran);
  if (found.length === 0) return [];
  const what = ran.checkpoint.architecture.predicts === 'next' ? t('next token') : t('at the last token');
  return ['', `${what}: ${found.map(({ token, probability }) => `${token} ${percent(probability)}`).join('  ')}`]; // prettier-ignore
}

/** `19.2 %`; a share that would round to 0.0 says so. */
const percent = (share: number): string => (share < 0.0005 ? '< 0.1 %' : `${(100 * share).toFixed(1)} %`);

function asJson(ran: Ran): string {
  const heads = headsOf(ran).map(({ attention: { stack, layer, part }, head, scored }) => ({
    stack,
    layer,
    head,
    ...(part.crosses && { crosses: true }),
    ...(scored && { kind: scored.kind, scores: scored.scores }),
  }));
  return `${JSON.stringify({ tokens: ran.first.tokens, ...(ran.second && { target: ran.second.tokens }), heads, next: predictions(ran) })}\n`; // prettier-ignore
}

/** The spec of the head that was asked for. */
function chosen({ layer, head, stack, crosses }: Options, ran: Ran): Result<AttentionSpec> {
  const last = ran.checkpoint.architecture.stacks.at(-1)?.name;
  const own = ran.attentions.filter((one) => one.stack === (stack ?? last) && Boolean(one.part.crosses) === (crosses !== undefined)); // prettier-ignore
  const found = own.find((one) => one.layer === Number(layer));
  if (!found) return fail({ code: 'layer', message: t('there is no layer {0}; the last is {1}', layer ?? '', (own.at(-1)?.layer ?? -1)) }); // prettier-ignore
  if (Number(head) >= found.part.heads)
    return fail({
      code: 'head',
      message: t('there is no head {0}; the last is {1}', head ?? '', found.part.heads - 1),
    });
  const queries = idsOfStack(ran, found).tokens;
  return ok(specOfHead(found, Number(head), { queries, keys: found.part.crosses ? ran.first.tokens : queries }));
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
