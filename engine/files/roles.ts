import { t } from '../text';
import { roleOf } from '../parse';

/** The role of a file's tensor in the computation. */
export type FileRole =
  | 'x' | 'context' | 'q' | 'k' | 'v'
  | 'wq' | 'wk' | 'wv' | 'wo' | 'bq' | 'bk' | 'bv' | 'bo'
  | 'scores' | 'weights' | 'mask'; // prettier-ignore

/** Symbols of the roles, in the order of the computation. */
export const roleSymbols: Readonly<Record<FileRole, string>> = {
  x: 'X',
  get context() {
    return t('context');
  },
  wq: 'W_q',
  wk: 'W_k',
  wv: 'W_v',
  bq: 'b_q',
  bk: 'b_k',
  bv: 'b_v',
  q: 'Q',
  k: 'K',
  v: 'V',
  get scores() {
    return t('scores');
  },
  get mask() {
    return t('mask');
  },
  get weights() {
    return t('weights');
  },
  wo: 'W_O',
  bo: 'b_O',
};

/** Names with a role in files that selections do not have. */
const more = new Map<string, FileRole>([
  ['context', 'context'], ['memory', 'context'], ['encoderhiddenstates', 'context'],
  ['scores', 'scores'], ['logits', 'scores'],
  ['weights', 'weights'], ['attnweights', 'weights'], ['attentionweights', 'weights'],
  ['hiddenstates', 'x'],
  ['wo', 'wo'], ['bo', 'bo'],
]); // prettier-ignore

const outputs = new Set(['wo', 'out', 'outproj', 'oproj', 'cproj', 'outputdense', 'tooutput']);

/**
 * The role of a tensor by its name: those of selections (`Q`, `W_q`, `layers.0.self_attn.q_proj.weight`), and output projection and
 * bias, scores, weights, mask, context.
 */
export function fileRoleOf(name: string): FileRole | undefined {
  const parts = name.split(/[./]/);
  const last = fold(parts.at(-1) ?? '');
  const owner = fold(parts.at(-2) ?? '');
  if (outputs.has(owner)) {
    if (last === 'weight' || last === 'kernel') return 'wo';
    if (last === 'bias') return 'bo';
  }
  const found = more.get(last) ?? roleOf(parts.join('.'))?.role;
  return found !== undefined && Object.hasOwn(roleSymbols, found) ? (found as FileRole) : undefined;
}

const fold = (name: string): string => name.replace(/[_\s-]/g, '').toLowerCase();

/** Roles with one row for each token, from which a range of rows can be chosen. */
export const rowRoles: ReadonlySet<FileRole> = new Set(['x', 'context', 'q', 'k', 'v', 'scores', 'weights']);

/** Roles that can have one matrix for each head. */
export const headRoles: ReadonlySet<FileRole> = new Set(['q', 'k', 'v', 'scores', 'weights', 'mask']);

/** Roles that can have one matrix for each input of a batch. */
const batchRoles: ReadonlySet<FileRole> = new Set(['x', 'context']);

/** What a tensor's last leading axis counts, given the roles of all tensors; undefined where a single index must be chosen. */
export function leadMeaning(role: FileRole, all: readonly FileRole[]): 'heads' | 'batch' | undefined {
  if (batchRoles.has(role) || (role === 'mask' && all.includes('x'))) return 'batch';
  return headRoles.has(role) ? 'heads' : undefined;
}
