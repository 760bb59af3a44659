import { t } from '../../text';
import { charLength } from './aligned';
import {
  childAt,
  flagAt,
  isObject,
  listAt,
  constructPart,
  nodeAt,
  nodesAt,
  textAt,
  pathWithin,
  addWrongValue,
  type Constructors,
  type Node,
} from './reader';

/** A token before it is returned; `written` is its spelling in the vocabulary. */
export interface Found {
  readonly written: string;
  readonly id: number;
  readonly start: number;
  readonly end: number;
  readonly special: boolean;
}

/** Adds special tokens around a text and may adjust offsets. Adds nothing if `template` is false. */
export type PostProcessor = (tokens: readonly Found[], template: boolean, text: string) => readonly Found[];

/** The post-processor that a file describes, for a single text (`pair` is not used). */
export const postProcessorOf = (node: Node): PostProcessor => constructPart(makers, node, (tokens) => tokens);

interface Added {
  readonly written: string;
  readonly id: number;
}

const makers: Constructors<PostProcessor> = {
  Sequence: (node) => {
    const steps = nodesAt(node, 'processors').map(postProcessorOf);
    return (tokens, template, text) => steps.reduce((found, step) => step(found, template, text), tokens);
  },
  TemplateProcessing: templateProcessing,
  BertProcessing: (node) => around([pairAt(node, 'cls')], [pairAt(node, 'sep')]),
  RobertaProcessing: (node) => {
    const trim = flagAt(node, 'trim_offsets');
    const prefix = flagAt(node, 'add_prefix_space');
    const add = around([pairAt(node, 'cls')], [pairAt(node, 'sep')]);
    return (tokens, template, text) => add(trim ? trimmed(tokens, prefix, text) : tokens, template, text);
  },
  ByteLevel: (node) => {
    const trim = flagAt(node, 'trim_offsets');
    const prefix = flagAt(node, 'add_prefix_space');
    return (tokens, _, text) => (trim ? trimmed(tokens, prefix, text) : tokens);
  },
};

/** Adds tokens before and after a text. They cover no text: their ranges are empty, at its beginning and end. */
export function around(before: readonly Added[], after: readonly Added[]): PostProcessor {
  return (tokens, template) => {
    if (!template) return tokens;
    const [first, last] = [tokens[0]?.start ?? 0, tokens.at(-1)?.end ?? 0];
    const added = (at: number) => (token: Added) => ({ ...token, start: at, end: at, special: true });
    return [...before.map(added(first)), ...tokens, ...after.map(added(last))];
  };
}

/** `["[CLS]", 101]` */
function pairAt(node: Node, key: string): Added {
  const [written, id] = listAt(node, key);
  if (typeof written === 'string' && typeof id === 'number') return { written, id };
  addWrongValue(node.findings, pathWithin(node.path, key), node.value[key], t('[token, id]'));
  return { written: '', id: 0 };
}

function templateProcessing(node: Node): PostProcessor {
  const specials = childAt(node, 'special_tokens');
  const sides: Added[][] = [[]];
  for (const piece of nodesAt(node, 'single')) {
    if (isObject(piece.value['Sequence'])) sides.push([]);
    else sides.at(-1)?.push(...addedBy(childAt(piece, 'SpecialToken'), specials));
  }
  const [before = [], after = []] = sides;
  if (sides.length !== 2)
    addWrongValue(
      node.findings,
      pathWithin(node.path, 'single'),
      node.value['single'],
      t('a template with one Sequence'),
    );
  return around(before, after);
}

/** The tokens (usually one) that the template adds for a special token's name. */
function addedBy(piece: Node, specials: Node): Added[] {
  const name = textAt(piece, 'id');
  const special = nodeAt(piece.findings, pathWithin(specials.path, name), specials.value[name]);
  const tokens = listAt(special, 'tokens');
  const ids = listAt(special, 'ids');
  if (tokens.length !== ids.length)
    addWrongValue(piece.findings, pathWithin(special.path, 'ids'), ids, t('a list of {0}', tokens.length));
  return tokens.map((token, i) => ({ written: String(token), id: Number(ids[i]) }));
}

/** Trims offsets by the white space at both ends of byte-level tokens (`byte_level.rs`, `process_offsets`). */
function trimmed(tokens: readonly Found[], addedPrefix: boolean, text: string): readonly Found[] {
  return tokens.map((token, i) => {
    const leading = /^[Ġ\p{White_Space}]*/u.exec(token.written)?.[0].length ?? 0;
    const trailing = spacesAtEnd(token.written);
    // A single blank before the first token was inserted by the pre-tokenizer and is in no offset.
    const own = addedPrefix && leading === 1 && (i === 0 || token.start === 0) ? 0 : leading;
    const start = Math.min(token.start + own, token.end);
    return { ...token, start, end: Math.max(back(text, token.end, trailing), start) };
  });
}

function spacesAtEnd(written: string): number {
  let from = written.length;
  while (from > 0 && /[Ġ\p{White_Space}]/u.test(written.charAt(from - 1))) from--;
  return written.length - from;
}

/** The offset that is `characters` characters before another one. */
function back(text: string, offset: number, characters: number): number {
  let to = offset;
  for (let n = 0; n < characters && to > 0; n++) to -= to > 1 && charLength(text, to - 2) === 2 ? 2 : 1;
  return to;
}
