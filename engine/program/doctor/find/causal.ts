/** A causal mask that the code names and that hides nothing: `causal=True` which nothing reads, a mask of ones beside it, a triangle of zeros. */
import { t, type Paced } from '../../../text';
import { sameNode, type Node } from '../../tensor';
import { denseOf } from '../../nearest';
import { isLeaf, isScalar, passes, throughMoves } from '../../recognise';
import type { Facts } from '../facts';
import { isLearned } from './bias';
import { argumentsOf } from './heads';
import { functionAround, textAt, type Found } from './found';
import { tokensBehind } from './terms';

export function* findCausal(facts: Facts, text: string): Paced<readonly Found[]> {
  const { own: { n, m }, hidden, way } = facts; // prettier-ignore
  // A query alone sees all that is there; with two, one hidden key is a window as well.
  if (n !== m || n < 3 || hidden.includes(1)) return [];
  const causal = { rule: 'mask-unused' as const, hidden: hidden.map((_, i) => Number(i % m > Math.floor(i / m) % n)), mends: [] };
  for (const { node, others } of way)
    if (others.length > 0 && (yield* isEmptyMask(facts, node, others, text)))
      return [{ ...causal, node, message: t('The causal mask hides no key: it has the same number in all its cells.') }];
  // Another mask, or a bias, may be all that the switch asks for; of other tokens no key is after a query.
  const [a, b] = facts.own.sides.map(tokensBehind);
  const isOther = a && b && !sameNode(a, b) && !facts.own.sides.some((one) => throughMoves(one) === a);
  if (isOther || way.some(({ others }) => !others.every(isScalar))) return [];
  // Of latents, or of a memory, no key is after a query either.
  const mask = a && b && sameNode(a, b) ? maskNotRead(facts, text) : undefined;
  if (mask !== undefined) return [{ ...causal, node: facts.attention.site.weights, message: t('{0} is given and nothing reads it: each query sees the keys after its own.', mask) }];
  const name = notRead(facts, text);
  return name === undefined ? [] : [{ ...causal, node: facts.attention.site.weights, message: t('{0} is True and nothing reads it: each query sees the keys after its own.', name) }];
} // prettier-ignore

// --- a mask of one number ----------------------------------------------------------------------

const asked = /^if \(?(?:\w+\.)*(?:is_|use_)?(?:causal|autoregressive)(?:_mask)?(?: and .*|\)?):/;
const named = /^\s*((?:\w+\.)*(?:causal|look_?ahead|subsequent|autoregressive)\w*) *=/i;

/** Whether one number in all cells was made to a mask where a causal one is asked for or named, or by a triangle of zeros. */
function* isEmptyMask({ source }: Facts, node: Node, [mask]: readonly Node[], text: string): Paced<boolean> {
  if (!mask || !['where', 'add', 'subtract'].includes(node.operation)) return false;
  const way = simpleWay(mask);
  const leaf = way?.at(-1);
  const numbers = leaf && (yield* denseOf(source, leaf))?.data;
  if (!way || !leaf || isScalar(leaf) || !numbers || numbers.some((x) => x !== numbers[0]) || isLearned(mask, text)) return false;
  if (way.some(isTriangle)) return numbers[0] === 0;
  const conditions = [node, leaf].flatMap(({ range }) => conditionsOf(text, range.start));
  const line = lineAt(text, leaf.range.start);
  if (conditions.some((one) => /^el|\bnot\b|\bNone\b|False|!=/.test(one)) || / else /.test(line)) return false;
  // A name is given once: what is written to it, where another kind of mask is asked for, may be the triangle.
  const [, name] = named.exec(line) ?? [];
  return conditions.some((one) => asked.test(one)) || (name !== undefined && text.match(new RegExp(`\\b${name}\\b(?:\\.\\w+_\\(|[^\\n=!<>]*=(?!=))`, 'g'))?.length === 1);
} // prettier-ignore

const isTriangle = ({ operation }: Node): boolean => operation === 'tril' || operation === 'triu';

/** Back over what has a number for each cell of one tensor and for no other; undefined where two meet. */
function simpleWay(mask: Node): readonly Node[] | undefined {
  const way: Node[] = [mask];
  for (let at = mask; !isLeaf(at) && way.length < 32; ) {
    const from = at.operands.filter((one) => !isScalar(one));
    const [next] = from;
    if (!next || from.length > 1 || !(passes(at) || isTriangle(at) || at.operands.length <= 2)) return undefined;
    way.push(next);
    at = next;
  }
  return way.at(-1)?.operation === 'constant' ? way : undefined;
} // prettier-ignore

const lineAt = (text: string, at: number): string =>
  /.*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1))?.[0] ?? '';

/** The conditions under which a line stands, within its function. */
function conditionsOf(text: string, at: number): readonly string[] {
  const lines = text.slice(0, text.lastIndexOf('\n', at - 1) + 1).split('\n').slice(0, -1); // prettier-ignore
  let indent = /^[ \t]*/.exec(lineAt(text, at))?.[0].length ?? 0;
  const found: string[] = [];
  for (const line of lines.reverse()) {
    const own = /^[ \t]*/.exec(line)?.[0].length ?? 0;
    if (line.trim() === '' || own >= indent) continue;
    indent = own;
    if (/^\s*(?:async )?(?:def|class)\b/.test(line)) break;
    if (/^\s*(?:if|elif|else)\b/.test(line)) found.push(line.trim());
  }
  return found;
}

// --- a switch that nothing reads ------------------------------------------------------------------

const word = '(?:is_)?causal';

/** The name of a switch that is True in this call and that neither the function nor its class reads. */
function notRead({ attention }: Facts, text: string): string | undefined {
  const { range, stack } = attention.site.weights;
  const at = functionAround(text, range.start);
  const call = stack.at(-1);
  if (!at || attention.site.weights.via?.includes('scaled_dot_product')) return undefined;
  const code = stripped(textAt(text, at));
  const [head = '', inside = ''] = /^[^(]*\(((?:[^()]|\([^()]*\))*)\)/.exec(code) ?? [];
  const given = argumentsOf(inside);
  // A mask that a caller gives may be causal.
  if (given.some((one) => /mask|bias|None/i.test(one)) || inside.includes('**') || /locals\(|vars\(/.test(code)) return undefined;
  const which = given.findIndex((one) => new RegExp(`^${word}\\b`).test(one));
  if (which < 0) return undefined;
  const [name = ''] = /^\w+/.exec(given[which] ?? '') ?? [];
  if (new RegExp(`\\b${name}\\b`).test(code.slice(head.length)) || !call) return undefined;
  const [args = ''] = /\(([^]*)\)$/.exec(textAt(text, call))?.slice(1) ?? [];
  const passed = argumentsOf(args);
  const own = passed.find((one) => one.startsWith(`${name}=`) || one.startsWith(`${name} =`));
  const isTrue = own === undefined ? /=\s*True$/.test(given[which] ?? '') && passed.length <= which && !args.includes('*') : /=\s*True$/.test(own);
  return isTrue ? name : undefined;
} // prettier-ignore

/** The name of a mask that a caller makes causal and that the function does not read. */
function maskNotRead({ attention: { site: { weights: { range, stack, via } } } }: Facts, text: string): string | undefined {
  const at = functionAround(text, range.start);
  if (!at || via?.includes('scaled_dot_product')) return undefined;
  const code = stripped(textAt(text, at));
  const [head = '', inside = ''] = /^[^(]*\(((?:[^()]|\([^()]*\))*)\)/.exec(code) ?? [];
  // Where another mask is read, layers of one signature may need one each.
  const names = argumentsOf(inside).flatMap((one) => /^\w*mask(?![\w.])/.exec(one) ?? []);
  const name = names.some((one) => new RegExp(`\\b${one}\\b`).test(code.slice(head.length))) ? undefined : names[0];
  // Where another function has attention and takes one too, both may be called alike.
  const hasOwn = (index: number): boolean => index !== at.start && /softmax|scaled_dot|exp\(|attn_mask=(?!None)/.test(text.slice(index).split(/\bdef /)[1] ?? '');
  if (name === undefined || name.startsWith('_') || /unused|ignore|signature/i.test(textAt(text, at)) || [...text.matchAll(new RegExp(`^[ \\t]*(?:async )?def [^)]*\\b${name}\\b`, 'gm'))].some(({ index }) => hasOwn(index))) return undefined;
  const given = !/\*\*|locals\(|vars\(/.test(code) ? givenFor(text, name, inside, stack) : '';
  // Of two triangles, of one that reaches further and of its rows nobody knows what they hide.
  return /tri[lu]\b|causal|look_?ahead|subsequent|no_?peek/i.test(given) && !/\bif\b|\bNone\b|non_?causal|tri[lu]\b.*tri[lu]\b|(?:tri[lu]\(|, *|= *)-\d+\)|\[-?\d/.test(given) ? name : undefined;
} // prettier-ignore

/** What the caller writes for an argument, or what the name that it writes was given there. */
function givenFor(text: string, name: string, inside: string, stack: Node['stack']): string {
  const call = stack.at(-1);
  const [head = '', args = ''] = call ? (/^[^]*?\(([^]*)\)$/.exec(textAt(text, call)) ?? []) : [];
  const [own, passed] = [argumentsOf(inside), argumentsOf(args)];
  const which = own.findIndex((one) => new RegExp(`^${name}\\b`).test(one)) - Number(own[0] === 'self');
  const keyword = passed.find((one) => new RegExp(`^${name} *=`).test(one))?.replace(/^\w+ *= */, '');
  const given = keyword ?? (passed.slice(0, which + 1).some((one) => /^\*|^\w+ *=(?!=)/.test(one)) ? '' : passed[which]) ?? '';
  if (!call || head === '' || !/^\w+$/.test(given)) return given;
  const around = functionAround(text, call.start);
  const before = stripped(text.slice(around?.start ?? 0, call.start));
  const bound = [...before.matchAll(new RegExp(`^[ \\t]*${given} *=(?!=) *(.*)`, 'gm'))];
  if (bound.length > 0) return bound.length === 1 ? (bound[0]?.[1] ?? '') : '';
  const [, outer] = around ? (/^[^(]*\(((?:[^()]|\([^()]*\))*)\)/.exec(before) ?? []) : [];
  return outer?.includes(given) ? givenFor(text, given, outer, stack.slice(0, -1)) : '';
} // prettier-ignore

/** Without comments and texts. */
const stripped = (code: string): string => code.replace(/#.*|("{3}|'{3})[^]*?\1/g, '');
