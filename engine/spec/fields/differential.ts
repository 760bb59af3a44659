import { exp } from '../../math';
import { say, t, type Problem } from '../../text';
import { given, listed, type Fields } from '../field';
import { matrix, number, row, tagged, type RecordOf } from '../kinds';
import { checkLimit, wholeFrom, type Limit } from '../limits';
import { hasScores, hasX, sizesOf, type Start } from './start';
import type { WeighedBy } from './weighting';

/* Weights that are the difference of two softmaxes. */

const optional = { layer: number, init: number, epsilon: number, gain: row } as const;

const kinds = {
  required: {},
  optional: {
    /** The difference of two softmaxes in place of one: see `Differential`. */
    differential: tagged('lambda', {
      init: { required: {}, optional },
      random: { required: {}, optional },
      given: { required: { vectors: matrix }, optional },
    }),
  },
} as const;

/**
 * Heads 2i and 2i + 1 together weigh one value: the softmax of the first minus λ times that of the second (Ye et al. 2024, "Differential Transformer", eqs. 1 to 3).
 * `heads` and `kvHeads` count the queries' and keys' heads, both even; values have half as many. The paper's own code places the two beside one another;
 * Hugging Face's DiffLlama, which counts heads likewise, pairs head i with head i + h/2.
 * - `init`: λ is λ_init
 * - `random`, `given`: λ = exp(q1·k1) − exp(q2·k2) + λ_init, of four vectors of d_k numbers that all heads share: rows q1, k1, q2, k2 of `vectors`, or drawn here
 *   from N(0, 0.1²) as in the paper's code
 * λ_init is `init`, or 0.8 − 0.6·exp(−0.3·(l − 1)), l = `layer` (default 1; in a block that of its first layer). Each head's output goes through RMSNorm with `epsilon`
 * (default 10⁻⁵) and `gain`, d_v numbers (all 1 where none are given), and is multiplied by 1 − λ_init.
 */
export type Differential = NonNullable<RecordOf<typeof kinds>['differential']>;

/** That of the paper's code. */
export const differentialEpsilon = 1e-5;

/** λ_init in a layer, from 1. `before`: layers of a block that come first. */
export const lambdaInit = ({ init, layer = 1 }: Differential, before = 0): number =>
  init ?? 0.8 - 0.6 * exp(-0.3 * (layer + before - 1));

interface Spec extends RecordOf<typeof kinds> {
  readonly start: Start;
  readonly heads: number;
  readonly kvHeads?: number;
  readonly weighting?: unknown;
  readonly headChanges?: unknown;
}

/** Whether heads come in pairs: where weights are given, none are made. */
export const isPaired = ({ start, differential }: Pick<Spec, 'start' | 'differential'>): boolean =>
  differential !== undefined && hasScores({ start });

/** Heads of the values: as many as keys have, or one for each pair of them. */
export const valueHeads = (spec: Pick<Spec, 'start' | 'differential' | 'heads' | 'kvHeads'>): number =>
  (spec.kvHeads ?? spec.heads) / (isPaired(spec) ? 2 : 1);

/** Heads whose outputs are joined. */
export const outputHeads = (spec: Pick<Spec, 'start' | 'differential' | 'heads'>): number =>
  spec.heads / (isPaired(spec) ? 2 : 1);

export interface Switches {
  readonly differential: { readonly differential: 'none' | Differential['lambda']; readonly differentialLayer: number };
}

const layerLimit = wholeFrom(1, 10_000);
const epsilonLimit: Limit = { whole: false, least: 0, most: Infinity, expected: () => t('a finite number, 0 or more') };
const initLimit: Limit = { whole: false, least: -Infinity, most: Infinity, expected: () => t('a finite number') };

function check(spec: Spec, problems: Problem[]): void {
  const { differential, heads, kvHeads = heads } = spec;
  if (!differential || !isPaired(spec)) return;
  checkLimit(problems, 'differential.layer', differential.layer ?? 1, layerLimit);
  checkLimit(problems, 'differential.init', differential.init ?? 0, initLimit);
  checkLimit(problems, 'differential.epsilon', differential.epsilon ?? differentialEpsilon, epsilonLimit);
  const refuse = (code: string, path: string, message: string, hint: string): void => void problems.push({ code, path, message, hint });
  const pairs = t('Each difference takes two of them.');
  const counts = [['heads', heads], ...(kvHeads === heads ? [] : [['kvHeads', kvHeads] as const])] as const;
  for (const [path, count] of counts)
    if (count % 2 !== 0) refuse('heads', path, t('{0} is {1}, differential attention expects an even number', path, count), pairs);
  if (spec.weighting !== undefined)
    refuse('differential', 'weighting', t('differential attention subtracts two softmaxes; with this weighting there are none'), t('Leave one of the two fields out.'));
  if (spec.headChanges !== undefined)
    refuse('differential', 'headChanges', t('heads of differential attention come in pairs: one of them alone cannot be changed'), t('Leave one of the two fields out.'));
} // prettier-ignore

/** Whether vectors are drawn. */
export const drawsLambda = (spec: Pick<Spec, 'start'>, s: Pick<Switches['differential'], 'differential'>): boolean =>
  hasScores(spec) && s.differential === 'random';

/** Heads can be doubled where columns are cut into them. */
const cuts = ({ start }: Pick<Spec, 'start'>): boolean =>
  hasX({ start }) || (start.from === 'qkv' && sizesOf(start.q).length === 2);

type HeadCounts = { readonly heads: number; readonly kvHeads: number | null };

/** The switches with as many heads as pairs need. */
const paired = ({ heads, kvHeads }: HeadCounts): Partial<HeadCounts> => ({
  ...(heads % 2 && { heads: 2 * heads }),
  ...(kvHeads !== null && kvHeads % 2 && { kvHeads: 2 * kvHeads, ...(heads % 2 === 0 && { heads: 2 * heads }) }),
});

const notes: Readonly<Record<Switches['differential']['differential'], () => string>> = {
  none: () => t('One softmax for each head (Vaswani et al. 2017).'),
  init: () => t('Softmax of one head minus λ times that of the next, λ = λ_init (Ye et al. 2024). Both weigh the same values.'),
  random: () => t('Softmax of one head minus λ times that of the next, λ by four drawn vectors (Ye et al. 2024). Both weigh the same values.'),
  given: () => t('Softmax of one head minus λ times that of the next, λ by your four vectors (Ye et al. 2024). Both weigh the same values.'),
}; // prettier-ignore

const fields: Fields<typeof kinds, Spec, Switches, Switches['differential'] & WeighedBy & HeadCounts> = {
  differential: {
    describe: () => t('The difference of two softmaxes in place of one (differential attention, Ye et al. 2024): heads 2i and 2i + 1 make one.'),
    initial: 'absent',
    example: '.lambda=init',
    limits: check,
    ignored: {
      differential: (spec, plan) => (spec.differential && !plan.has('differences') ? plan.begins : undefined),
      'differential.layer': ({ differential: own }) =>
        own?.init !== undefined && own.layer !== undefined && own.layer !== 1 ? say('init gives λ_init') : undefined,
    },
    panel: {
      read: ({ differential: own }) => ({ differential: own?.lambda ?? 'none', differentialLayer: own?.layer ?? 1 }),
      write: ({ differential: own }, { differential: lambda, differentialLayer: layer }) => {
        if (lambda === 'none' || (lambda === 'given' && own?.lambda !== lambda)) return undefined;
        if (own?.lambda === lambda && (own.layer ?? 1) === layer) return own;
        if (own?.lambda === lambda) return { ...own, layer };
        const { init, epsilon, gain } = own ?? ({} as Partial<Differential>);
        const rest = { ...(init !== undefined && { init }), ...(epsilon !== undefined && { epsilon }), ...(gain && { gain }) };
        return { lambda: lambda as 'init' | 'random', ...rest, ...(layer !== 1 && { layer }) };
      },
      controls: [
        {
          id: 'differential',
          group: 'scores',
          kind: 'choice',
          label: () => t('Second softmax'),
          explain: () => t('Whether each two heads beside one another are subtracted, as in the paper’s code. Hugging Face’s DiffLlama pairs head i with i + h/2: give its heads in the order 0, h/2, 1, h/2 + 1, …'),
          explainChoice: ({ differential }) => notes[differential](),
          paths: ['differential', 'differential.lambda', 'differential.gain', 'differential.vectors'],
          applies: (spec, s) =>
            hasScores(spec) && s.weighting === 'softmax' && (cuts(spec) || s.heads % 2 === 0 || s.differential !== 'none'),
          options: ({ differential: own }) => [
            ...listed({ none: t('None'), init: t('Subtracted, λ fixed'), random: t('Subtracted, random λ') }),
            ...(own?.lambda === 'given' ? [{ value: given, text: t('As given') }] : []),
          ],
          get: (s) => s.differential,
          set: (s, value) => ({
            differential: value as Switches['differential']['differential'],
            ...(value !== 'none' && paired(s)),
          }),
          brief: (_, { differential }) => (differential === 'none' ? '' : t('differential')),
        },
        {
          id: 'differentialLayer',
          group: 'scores',
          kind: 'number',
          limit: layerLimit,
          label: () => t('Layer'),
          explain: () => t('λ_init = 0.8 − 0.6·exp(−0.3·(layer − 1)), from 1 as in the paper; code that counts from 0 (depth, layer_idx) has exp(−0.3·depth). Deeper layers take away more.'),
          paths: ['differential.layer'],
          applies: (spec, s) => hasScores(spec) && s.differential !== 'none' && s.weighting === 'softmax' && spec.differential?.init === undefined,
          get: (s) => String(s.differentialLayer),
          set: (_, differentialLayer) => ({ differentialLayer }),
          brief: () => '',
        },
      ],
    },
  },
}; // prettier-ignore

export const subtracting = { kinds, fields };
