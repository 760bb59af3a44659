import { wasmKernels, type WasmKernels } from '../run';
import { fail, t, useTexts, type Problem, type Result, type Texts } from '../text';
import type { Tokenizer } from '../tokens';
import type { ComputedHead } from './computed-head';
import { openCheckpoint, type Checkpoint } from './open';
import { runText, tokenizerIn, type Asked, type HeadPlace, type TextRun } from './text-run';
import type { CheckpointFolder } from './weights';

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
}

/** A text's run as plain data. */
export type ModelRun = Omit<TextRun, 'headAt'>;

type Question =
  | { readonly kind: 'open'; readonly folder: string }
  | { readonly kind: 'run'; readonly asked: Asked }
  | { readonly kind: 'head'; readonly place: HeadPlace };

/** From the editor to the worker that runs models. `vocabularies`: the folder of the extension's own. One model is open at a time, and one text was run through it. */
export type ToModel =
  | { readonly texts: Texts; readonly vocabularies: string }
  | { readonly id: number; readonly question: Question }
  | { readonly cancelled: number };

/** Its replies. `progress`: the finished fraction of a run. */
export type FromModel =
  | { readonly id: number; readonly progress: number }
  | { readonly id: number; readonly opened: ModelSummary }
  | { readonly id: number; readonly ran: ModelRun }
  | { readonly id: number; readonly head: ComputedHead }
  | { readonly id: number; readonly problems: readonly Problem[] };

/** What the host of the worker gives. */
export interface ModelHost {
  /** Opens a folder by its path. */
  readonly folder: (path: string) => CheckpointFolder & { close(): Promise<void> };
  readonly bundledGpt2: () => Promise<Result<Tokenizer>>;
  readonly reply: (message: FromModel) => void;
}

interface Opened {
  readonly files: ReturnType<ModelHost['folder']>;
  readonly checkpoint: Checkpoint;
  readonly tokenizer: Result<Tokenizer> | undefined;
}

/** Answers the editor's messages about models; an exception becomes a problem. */
export function createModelServer({ folder, bundledGpt2, reply }: ModelHost): (message: ToModel) => Promise<void> {
  let opened: Opened | undefined;
  let ran: TextRun | undefined;
  let kernels: WasmKernels | undefined;
  const cancelled = new Set<number>();

  const open = async (path: string): Promise<Result<{ opened: ModelSummary }>> => {
    await opened?.files.close();
    [opened, ran] = [undefined, undefined];
    const files = folder(path);
    const found = await openCheckpoint(files);
    const tokenizer = found.ok ? await tokenizerIn(files, found.value, bundledGpt2) : undefined;
    if (!found.ok || (tokenizer && !tokenizer.ok)) await files.close();
    if (!found.ok) return found;
    if (tokenizer && !tokenizer.ok) return tokenizer;
    opened = { files, checkpoint: found.value, tokenizer };
    return { ok: true, value: { opened: summaryOf(opened) } };
  };

  const run = async (id: number, asked: Asked): Promise<Result<{ ran: ModelRun }>> => {
    if (!opened) return nothingOpen();
    ran = undefined;
    kernels ??= modelKernels();
    const found = await runText(opened.checkpoint, opened.tokenizer, asked, {
      kernels,
      progress: (progress) => reply({ id, progress }),
      cancelled: () => cancelled.has(id),
    });
    if (!found.ok) return found;
    ran = found.value;
    const { headAt: _, ...plain } = found.value;
    return { ok: true, value: { ran: plain } };
  };

  const head = (place: HeadPlace): Result<{ head: ComputedHead }> => {
    const found = ran ? ran.headAt(place) : nothingOpen();
    return found.ok ? { ok: true, value: { head: found.value } } : found;
  };

  return async (message) => {
    if ('texts' in message) return useTexts(message.texts);
    if ('cancelled' in message) return void cancelled.add(message.cancelled);
    const { id, question } = message;
    const answer = async () =>
      question.kind === 'open' ? open(question.folder) : question.kind === 'run' ? run(id, question.asked) : head(question.place); // prettier-ignore
    const found = await answer().catch((error: unknown) => fail({ code: 'model', message: error instanceof Error ? error.message : String(error) })); // prettier-ignore
    reply(found.ok ? { id, ...found.value } : { id, problems: found.problems });
  };
}

/** One build everywhere, so that a model's numbers differ between machines as little as can be. */
export const modelKernels = (): WasmKernels => wasmKernels('simd128') ?? wasmKernels();

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
    hasTokenizer: tokenizer !== undefined,
  };
}
