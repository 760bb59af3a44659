import { wasmKernels, type WasmKernels } from '../run';
import { fail, ok, t, useTexts, type Problem, type Result, type Texts } from '../text';
import type { Tokenizer } from '../tokens';
import type { ComputedHead } from './computed-head';
import { compareRuns, type ComparedHead } from './compare';
import { measureKernels, type Measured } from './measure';
import type { PickedFile } from './picked-files';
import { notesOf } from './notes';
import { openCheckpoint, type Checkpoint } from './open';
import type { SecondThread } from './second-thread';
import { runText, tokenizerIn, type Asked, type HeadPlace, type PicturedHead, type ReadTokens, type TextRun } from './text-run'; // prettier-ignore
import { tokenizerFile, type CheckpointFolder } from './weights';

/** What a reader is told of a model before a text is run. */
export interface ModelSummary {
  readonly family: string;
  /** Layers of each stack. */
  readonly layers: readonly number[];
  /** Of the first layer. */
  readonly heads: number;
  readonly width: number;
  readonly parameters: number;
  readonly dtypes: readonly string[];
  readonly context: number;
  readonly predicts: 'next' | 'same' | 'nothing';
  readonly hasTokenizer: boolean;
  /** What of the folder is not read, in sentences. */
  readonly notes: readonly string[];
  /** Whether it reads two texts as one. */
  readonly readsPairs: boolean;
}

/** A text's run as plain data. */
export type ModelRun = Omit<TextRun, 'headAt' | 'weightsAt'>;

/** Two models can be open beside each other, each with the text that was run through it last. */
export type Side = 'first' | 'second';

/** A path, or files that were chosen in a page. */
export type ModelPlace = string | readonly PickedFile[];

export type ModelQuestion =
  | { readonly kind: 'open'; readonly folder: ModelPlace; readonly side?: Side }
  | { readonly kind: 'run'; readonly asked: Asked; readonly side?: Side }
  | { readonly kind: 'head'; readonly place: HeadPlace; readonly side?: Side }
  /** How the heads of both sides differ. */
  | { readonly kind: 'compare' }
  /** How far the kernels are from sums in float64, on the beginning of the text. */
  | { readonly kind: 'measure'; readonly side?: Side };

/** From the editor to the worker that runs models. `vocabularies`: the folder of the extension's own. */
export type ToModel =
  | { readonly texts: Texts; readonly vocabularies: string }
  | { readonly id: number; readonly question: ModelQuestion }
  | { readonly cancelled: number };

/** What is told while a run goes on: the finished fraction, the tokens, the heads of an attention. */
export type ModelProgress =
  | { readonly id: number; readonly progress: number }
  | { readonly id: number; readonly read: { readonly first: ReadTokens; readonly second?: ReadTokens } }
  | { readonly id: number; readonly heads: readonly PicturedHead[] };

/** One ends each question. */
export type ModelReply =
  | { readonly id: number; readonly opened: ModelSummary }
  | { readonly id: number; readonly ran: ModelRun }
  | { readonly id: number; readonly head: ComputedHead }
  | { readonly id: number; readonly compared: readonly ComparedHead[] }
  | { readonly id: number; readonly measured: Measured }
  | { readonly id: number; readonly problems: readonly Problem[] };

export type FromModel = ModelProgress | ModelReply;

/** What the host of the worker gives. */
export interface ModelHost {
  readonly folder: (place: ModelPlace) => CheckpointFolder & { close(): Promise<void> };
  readonly bundledGpt2: () => Promise<Result<Tokenizer>>;
  readonly reply: (message: FromModel) => void;
  /** Starts another thread with the same kernels; undefined where there is none to be had. */
  readonly startSecond?: () => SecondThread | undefined;
}

interface Opened {
  readonly files: ReturnType<ModelHost['folder']>;
  readonly checkpoint: Checkpoint;
  readonly tokenizer: Result<Tokenizer> | undefined;
  ran?: TextRun;
}

/** Answers the editor's messages about models; an exception becomes a problem. */
export function createModelServer({
  folder,
  bundledGpt2,
  reply,
  startSecond,
}: ModelHost): (message: ToModel) => Promise<void> {
  const sides = new Map<Side, Opened>();
  let kernels: WasmKernels | undefined;
  let second: SecondThread | undefined;
  const cancelled = new Set<number>();
  type Told<Q> = (question: Q, id: number) => Promise<Result<WithoutId<ModelReply>>>;

  const open: Told<Of<'open'>> = async ({ folder: place, side = 'first' }) => {
    await sides.get(side)?.files.close();
    sides.delete(side);
    const files = folder(place);
    const found = await openCheckpoint(files);
    if (!found.ok) {
      await files.close();
      return found;
    }
    // Without a tokenizer that is read a model still takes token ids.
    const tokenizer = await tokenizerIn(files, found.value, bundledGpt2).catch((error: unknown) => fail({ code: 'tokenizer', message: messageOf(error) })); // prettier-ignore
    const opened = { files, checkpoint: found.value, tokenizer };
    sides.set(side, opened);
    return ok({ opened: summaryOf(opened) });
  };

  const run: Told<Of<'run'>> = async ({ asked, side = 'first' }, id) => {
    const opened = sides.get(side);
    if (!opened) return nothingOpen();
    delete opened.ran;
    if (!kernels) second = startSecond?.();
    kernels ??= modelKernels();
    const found = await runText(opened.checkpoint, opened.tokenizer, asked, {
      kernels,
      ...(second && { second }),
      progress: (progress) => reply({ id, progress }),
      onRead: (first, second) => reply({ id, read: { first, ...(second && { second }) } }),
      onHeads: (heads) => reply({ id, heads }),
      cancelled: () => cancelled.has(id),
    });
    if (!found.ok) return found;
    opened.ran = found.value;
    const { headAt: _, weightsAt: __, ...plain } = found.value;
    return ok({ ran: plain });
  };

  const measure: Told<Of<'measure'>> = async ({ side = 'first' }, id) => {
    const opened = sides.get(side);
    if (!opened?.ran) return nothingOpen();
    kernels ??= modelKernels();
    const measured = await measureKernels(opened.checkpoint, opened.ran.first.ids, kernels, () => cancelled.has(id));
    return measured.ok ? ok({ measured: measured.value }) : measured;
  };

  const compare = (): Result<WithoutId<ModelReply>> => {
    const [first, second] = [sides.get('first')?.ran, sides.get('second')?.ran];
    return first && second ? ok({ compared: compareRuns(first, second) }) : nothingOpen();
  };

  const head = ({ place, side = 'first' }: Of<'head'>): Result<WithoutId<ModelReply>> => {
    const found = sides.get(side)?.ran?.headAt(place) ?? nothingOpen();
    return found.ok ? ok({ head: found.value }) : found;
  };

  const answer = async (question: ModelQuestion, id: number): Promise<Result<WithoutId<ModelReply>>> => {
    switch (question.kind) {
      case 'open':
        return open(question, id);
      case 'run':
        return run(question, id);
      case 'measure':
        return measure(question, id);
      case 'compare':
        return compare();
      case 'head':
        return head(question);
    }
  };

  return async (message) => {
    if ('texts' in message) return useTexts(message.texts);
    if ('cancelled' in message) return void cancelled.add(message.cancelled);
    const { id, question } = message;
    const found = await answer(question, id).catch((error: unknown) =>
      fail({ code: 'model', message: messageOf(error) }),
    );
    cancelled.delete(id);
    reply(found.ok ? { id, ...found.value } : { id, problems: found.problems });
  };
}

type Of<K extends ModelQuestion['kind']> = Extract<ModelQuestion, { kind: K }>;
type WithoutId<T> = T extends { readonly problems: readonly Problem[] } ? never : T extends T ? Omit<T, 'id'> : never;

/** One build everywhere, so that a model's numbers differ between machines as little as can be. */
export const modelKernels = (): WasmKernels => wasmKernels('simd128') ?? wasmKernels();

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const nothingOpen = () => fail({ code: 'model', message: t('no model is open') });

function summaryOf({ checkpoint, tokenizer }: Opened): ModelSummary {
  const { architecture, parameters, dtypes } = checkpoint;
  const { family, stacks, width, context, predicts } = architecture;
  const [first] = stacks[0]?.layers[0]?.branches.filter((branch) => branch.kind === 'attention') ?? [];
  return {
    family,
    layers: stacks.map(({ layers }) => layers.length),
    heads: first?.heads ?? 0,
    width,
    parameters,
    dtypes,
    context,
    predicts,
    hasTokenizer: tokenizer?.ok === true,
    notes: [...(tokenizer ? [] : [t('{0} is not in the folder', tokenizerFile)]), ...notesOf(checkpoint, tokenizer)],
    readsPairs: architecture.pairs !== undefined && tokenizer?.ok === true,
  };
}
