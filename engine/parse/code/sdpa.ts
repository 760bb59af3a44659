/** Recognizes a call of PyTorch's `scaled_dot_product_attention` that computes what the explanation shows. */
import type { TextRange } from '../../text';
import type { MatrixRole, ParsedMatrix } from '../matrix';
import { callsIn, keyword, type WrittenCall } from './calls';
import { codeOf } from './lines';

export interface FollowedCall {
  readonly causal: boolean;
  readonly range: TextRange;
}

const sdpa = /(?<![\p{L}\d_.])(?:[\p{L}_][\p{L}\d_]*\.)*scaled_dot_product_attention\s*(?=\()/gu;
const places = ['query', 'key', 'value', 'attn_mask', 'dropout_p', 'is_causal'] as const;

/**
 * The call that matches the explanation: its operands are the Q, K and V that were read, and it asks for at most a causal mask. Undefined
 * if there is none, or if two calls differ (https://pytorch.org/docs, `torch.nn.functional`).
 */
export function followedSdpa(text: string, byRole: ReadonlyMap<MatrixRole, ParsedMatrix>): FollowedCall | undefined {
  const calls = callsIn(text, codeOf(text), sdpa);
  const read = calls.map((call) => followed(call, byRole));
  const [first] = read;
  return first && read.every((other) => other?.causal === first.causal) ? first : undefined;
}

function followed(call: WrittenCall, byRole: ReadonlyMap<MatrixRole, ParsedMatrix>): FollowedCall | undefined {
  const given = (name: (typeof places)[number]): string | undefined => {
    const positional = call.args.filter((arg) => !/^\w+\s*=(?!=)/.test(arg));
    return keyword(call, name) ?? positional[places.indexOf(name)];
  };
  const operands = (
    [
      ['q', 'query'],
      ['k', 'key'],
      ['v', 'value'],
    ] as const
  ).every(([role, name]) => byRole.get(role)?.name !== undefined && byRole.get(role)?.name === given(name));
  const known = call.args.every((arg) => !/^\w+\s*=(?!=)/.test(arg) || places.some((p) => arg.startsWith(p)));
  const causal = given('is_causal') ?? 'False';
  const plain = /^(?:None)?$/.test(given('attn_mask') ?? '') && /^(?:0(?:\.0*)?)?$/.test(given('dropout_p') ?? '');
  if (!operands || !known || !plain || !/^(?:True|False)$/.test(causal)) return undefined;
  return { causal: causal === 'True', range: call.range };
}
