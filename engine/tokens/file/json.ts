import { t, fail, ok, type Problem, type Result } from '../../text';
import { addedTokens, addedTokensAt } from './added';
import { bpeOf, type Model, unigramOf, wordLevelOf, wordPieceOf } from './models';
import { normalizerOf } from './normalizers';
import type { Pipeline } from './pipeline';
import { postProcessorOf } from './postprocessors';
import { preTokenizerOf } from './pretokenizers';
import {
  childAt,
  isObject,
  constructPart,
  nodeAt,
  addWrongValue,
  type Findings,
  type Constructors,
  type Node,
} from './reader';

const models: Constructors<Model> = { WordPiece: wordPieceOf, WordLevel: wordLevelOf, BPE: bpeOf, Unigram: unigramOf };

/** At most this many problems are reported. */
const MOST = 20;

/**
 * Reads a Hugging Face `tokenizer.json`, parsed or as text: WordPiece, WordLevel, BPE or Unigram with normalizer, pre-tokenizer,
 * post-processor and added tokens. A part that is damaged or unknown is a Problem with its `path`. What is ignored on purpose (truncation,
 * padding) is in the tokenizer's `notes`. The decoder is not read, as tokens are never turned back into text.
 */
export function tokenizerFromJson(json: unknown): Result<Pipeline> {
  const parsed = typeof json === 'string' ? parse(json) : ok(json);
  if (!parsed.ok) return parsed;
  const findings: Findings = { problems: [], notes: [] };
  const root = nodeAt(findings, '', parsed.value);
  checkFile(root);
  if (findings.problems.length) return fail(...findings.problems);
  const pipeline = pipelineOf(root);
  const { problems } = findings;
  return problems.length ? fail(...problems.slice(0, MOST)) : ok(pipeline);
}

/** Deepest nesting: more than real tokenizers have, and safe for the stack. */
const DEEPEST = 64;

function checkFile({ value, findings }: Node): void {
  if (isDeeper(value, DEEPEST)) addWrongValue(findings, '', value, t('no more than {0} levels', DEEPEST));
  const version = value['version'];
  if (version !== undefined && version !== '1.0') addWrongValue(findings, 'version', version, '1.0');
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

function pipelineOf(root: Node): Pipeline {
  noteUnused(root);
  const model = modelAt(root);
  const normalize = optionalAt(root, 'normalizer', normalizerOf, (a) => a);
  const preTokenize = optionalAt(root, 'pre_tokenizer', preTokenizerOf, (part) => [part]);
  const postProcess = optionalAt(root, 'post_processor', postProcessorOf, (tokens) => tokens);
  const added = addedTokensAt(root, model.vocabulary);
  return {
    kind: 'file',
    name: model.name,
    size: sizeOf(
      model.vocabulary.values(),
      added.map(({ id }) => id),
    ),
    notes: root.findings.notes,
    added: addedTokens(root.findings.problems.length ? [] : added, normalize),
    normalize,
    preTokenize,
    model,
    postProcess,
    bytes: mentions(root.value['pre_tokenizer'], 'ByteLevel') || mentions(root.value['normalizer'], 'ByteLevel'),
  };
}

/** One more than the largest id. */
export function sizeOf(...ids: Iterable<number>[]): number {
  let size = 0;
  for (const some of ids) for (const id of some) size = Math.max(size, id + 1);
  return size;
}

/** The model. Old files do not name its type; it is inferred where its fields allow. */
function modelAt(root: Node): Model {
  const node = childAt(root, 'model');
  const { value } = node;
  const type =
    value['type'] ??
    ('merges' in value
      ? 'BPE'
      : 'unk_id' in value
        ? 'Unigram'
        : 'continuing_subword_prefix' in value
          ? 'WordPiece'
          : 'WordLevel');
  const none: Model = { name: '', vocabulary: new Map(), tokenize: () => undefined };
  return isObject(root.value['model']) ? constructPart(models, { ...node, value: { ...value, type } }, none) : none;
}

function optionalAt<T>(root: Node, key: string, make: (node: Node) => T, otherwise: T): T {
  const value = root.value[key];
  return value === null || value === undefined ? otherwise : make(childAt(root, key));
}

/** Whether a part, or one nested in it, has a type. */
const mentions = (part: unknown, type: string): boolean =>
  Array.isArray(part)
    ? part.some((inner) => mentions(inner, type))
    : isObject(part) && (part['type'] === type || Object.values(part).some((inner) => mentions(inner, type)));

function noteUnused({ value, findings }: Node): void {
  for (const key of ['truncation', 'padding']) {
    if (!isObject(value[key])) continue;
    findings.notes.push({
      code: 'tokenizer-unused',
      path: key,
      message: t('{0} is not applied: all of the text is shown', key),
    });
  }
}

/** Parses JSON; a syntax error is a Problem with its offset. */
function parse(text: string): Result<unknown> {
  try {
    return ok(JSON.parse(text) as unknown);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const offset = /position (\d+)/.exec(message)?.[1];
    const start = offset === undefined ? (/end of/i.test(message) ? text.length : undefined) : Number(offset);
    const problem: Problem = { code: 'json-syntax', message: t('no JSON: {0}', message.slice(0, 120)) };
    return fail(
      start === undefined ? problem : { ...problem, range: { start, end: Math.min(start + 1, text.length) } },
    );
  }
}
