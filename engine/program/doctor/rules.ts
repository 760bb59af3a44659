/**
 * The rules of the code doctor as data: what each is called, how loud it is unless a setting says otherwise, where it is written down, and what it
 * takes for evidence. How a rule is computed is in `find/`, by id.
 */

/** As linters and editors have it; `off` is no severity but a rule that is not shown. */
export const severities = ['error', 'warning', 'information', 'hint', 'off'] as const;
export type Severity = (typeof severities)[number];

/**
 * `numbers`: a rule reports only where the program's own numbers differ from standard attention's. `shapes`: what it reports follows from where cells
 * are moved to. `code`: from the call as it stands. `names`: names contradict the flow of data, so it may be meant.
 */
export type Evidence = 'numbers' | 'shapes' | 'code' | 'names';

export interface Rule {
  readonly severity: Severity;
  readonly by: Evidence;
  readonly source: string;
}

const paper = 'Vaswani et al. 2017, ';
const choice = 'information';

export const rules = {
  'softmax-axis': { severity: 'warning', by: 'numbers', source: `${paper}equation 1` },
  'softmax-matrix': { severity: 'warning', by: 'numbers', source: `${paper}equation 1` },
  'softmax-twice': { severity: 'warning', by: 'numbers', source: `${paper}equation 1` },
  'softmax-log': { severity: 'warning', by: 'numbers', source: `${paper}equation 1` },
  'softmax-none': { severity: choice, by: 'numbers', source: 'Ramapuram et al. 2024 (sigmoid attention), which means to' },
  'mask-after-softmax': { severity: 'warning', by: 'numbers', source: `${paper}section 3.2.3` },
  'mask-inverted': { severity: 'warning', by: 'numbers', source: 'PyTorch, scaled_dot_product_attention and nn.MultiheadAttention' },
  'mask-off-by-one': { severity: 'warning', by: 'numbers', source: `${paper}section 3.2.3` },
  'mask-hides-own': { severity: choice, by: 'numbers', source: `${paper}section 3.2.3` },
  'mask-fill': { severity: 'warning', by: 'numbers', source: `${paper}section 3.2.3` },
  'mask-padding': { severity: 'warning', by: 'numbers', source: 'PyTorch, nn.MultiheadAttention: key_padding_mask and attn_mask' },
  'mask-unused': { severity: 'warning', by: 'numbers', source: 'PyTorch, Tensor.masked_fill, which writes nothing' },
  'mask-hides-all': { severity: 'warning', by: 'numbers', source: 'PyTorch, torch.softmax of a row of −inf' },
  'mask-window': { severity: choice, by: 'numbers', source: 'Jiang et al. 2023 (Mistral 7B), section 2: a token sees W tokens' },
  'mask-cache': { severity: 'warning', by: 'numbers', source: 'PyTorch, torch.nn.attention.bias: causal_lower_right' },
  'scale-without-root': { severity: choice, by: 'numbers', source: 'Yang et al. 2022 (μP), which divides by d_k' },
  'scale-twice': { severity: 'warning', by: 'numbers', source: `${paper}section 3.2.1` },
  'scale-inverse': { severity: 'warning', by: 'numbers', source: `${paper}section 3.2.1` },
  'scale-after-softmax': { severity: 'warning', by: 'numbers', source: `${paper}equation 1` },
  'scale-width': { severity: choice, by: 'numbers', source: `${paper}section 3.2.2` },
  'scale-none': { severity: choice, by: 'numbers', source: 'Raffel et al. 2020 (T5), which does without' },
  'scale-other': { severity: choice, by: 'numbers', source: `${paper}section 3.2.1` },
  'heads-split': { severity: 'warning', by: 'shapes', source: `${paper}section 3.2.2` },
  'heads-merged': { severity: 'warning', by: 'shapes', source: `${paper}section 3.2.2` },
  'heads-interleaved': { severity: choice, by: 'shapes', source: `${paper}section 3.2.2` },
  'heads-tiled': { severity: choice, by: 'shapes', source: 'Ainslie et al. 2023; PyTorch, scaled_dot_product_attention: enable_gqa' },
  'queries-keys-swapped': { severity: 'warning', by: 'numbers', source: `${paper}equation 1` },
  'values-from-queries': { severity: 'warning', by: 'names', source: `${paper}section 3.2.3` },
  'values-from-keys': { severity: 'warning', by: 'shapes', source: `${paper}equation 1` },
  'positions-pairs': { severity: 'warning', by: 'numbers', source: 'Su et al. 2021 (RoPE), equation 34' },
  'positions-cache': { severity: 'warning', by: 'numbers', source: `${paper}section 3.5` },
  'positions-axis': { severity: 'warning', by: 'numbers', source: 'Su et al. 2021 (RoPE), equation 16' },
  'positions-sides': { severity: 'warning', by: 'numbers', source: 'Su et al. 2021 (RoPE), equation 16' },
  'positions-offset': { severity: choice, by: 'numbers', source: 'Su et al. 2021 (RoPE), equation 16' },
  'positions-values': { severity: choice, by: 'numbers', source: 'Su et al. 2021 (RoPE), equation 16; RoFormer has a switch for it, rotary_value' },
  'bias-farther': { severity: 'warning', by: 'numbers', source: 'Press et al. 2022 (ALiBi), section 3' },
  'projections-named-otherwise': { severity: choice, by: 'names', source: `${paper}section 3.2.2` },
  'queries-from-memory': { severity: choice, by: 'names', source: `${paper}section 3.2.3` },
  'part-unused': { severity: choice, by: 'names', source: `${paper}equation 1` },
  'tokens-first': { severity: choice, by: 'code', source: 'PyTorch, nn.MultiheadAttention: batch_first' },
  'norm-one-side': { severity: choice, by: 'code', source: 'Henry et al. 2020 (QK-norm), which norms both' },
  'dropout-scores': { severity: choice, by: 'code', source: `${paper}section 5.4; PyTorch, nn.MultiheadAttention, which drops weights` },
  'dropout-always': { severity: 'warning', by: 'code', source: 'PyTorch, torch.nn.functional.dropout' },
} as const satisfies Readonly<Record<string, Rule>>; // prettier-ignore

export type RuleId = keyof typeof rules;
export const ruleIds = Object.keys(rules) as readonly RuleId[];
export const isRule = (id: string): id is RuleId => Object.hasOwn(rules, id);
