import { counted, t, type Problem } from '../../text';
import { listed, type Fields } from '../field';
import { flag, matrix, number, record, type RecordOf } from '../kinds';
import { checkLimit, wholeFrom } from '../limits';
import { hasScores, sizesOf, type Start } from './start';

/* Biases of the scores that are learned for each distance, as T5's. */

const kinds = {
  required: {},
  optional: {
    /** A bias for each bucket of distances: see `RelativeBias`. */
    relativeBias: record({
      required: { bidirectional: flag },
      optional: { buckets: number, maxDistance: number, table: matrix },
    }),
  },
} as const;

/**
 * A number added to the score of a query and a key by the bucket of their distance, one for each head (Raffel et al. 2020, section 2.1; T5's
 * relative_attention_bias). T5 does not divide its scores: `scale` is `none` there.
 * - `bidirectional`: keys after a query have buckets of their own (T5's encoder); else they share that of distance 0 (its decoder)
 * - `buckets`: relative_attention_num_buckets, default 32, or the rows of the table
 * - `maxDistance`: relative_attention_max_distance, default 128: from there on all distances share a bucket
 * - `table`: a row for each bucket, a column for each head; drawn where it is absent
 */
export type RelativeBias = NonNullable<RecordOf<typeof kinds>['relativeBias']>;

const [initialBuckets, initialDistance] = [32, 128];

/** The bucketing of a spec, with what is not said. */
export const bucketingOf = (own: RelativeBias): { readonly buckets: number; readonly maxDistance: number; readonly bidirectional: boolean } => ({
  buckets: own.buckets ?? own.table?.length ?? initialBuckets,
  maxDistance: own.maxDistance ?? initialDistance,
  bidirectional: own.bidirectional,
}); // prettier-ignore

interface Spec extends RecordOf<typeof kinds> {
  readonly start: Start;
  readonly heads: number;
}

export interface Switches {
  readonly relativeBias: {
    /** null: none. */
    readonly relativeBias: RelativeBias | null;
  };
}

const bucketLimit = wholeFrom(2, 4096);
const distanceLimit = wholeFrom(2, 1_000_000);

function check({ relativeBias, heads, start }: Spec, problems: Problem[]): void {
  if (!relativeBias || !hasScores({ start })) return;
  const { table } = relativeBias;
  const { buckets, maxDistance, bidirectional } = bucketingOf(relativeBias);
  checkLimit(problems, 'relativeBias.buckets', buckets, bidirectional ? wholeFrom(4, 4096) : bucketLimit);
  checkLimit(problems, 'relativeBias.maxDistance', maxDistance, distanceLimit);
  const exact = Math.floor((bidirectional ? Math.floor(buckets / 2) : buckets) / 2);
  if (maxDistance <= exact) {
    const [path, message] = ['relativeBias.maxDistance', t('{0} is {1}, expected more than {2}', 'relativeBias.maxDistance', maxDistance, exact)];
    problems.push({ code: 'number', path, message, hint: t('So many distances have a bucket of their own.') });
  }
  if (table) checkTable(table, buckets, heads, problems);
} // prettier-ignore

function checkTable(table: readonly (readonly unknown[])[], buckets: number, heads: number, problems: Problem[]): void {
  const path = 'relativeBias.table';
  const [rows = 0, columns = 0] = sizesOf(table);
  const ragged = table.findIndex((row) => row.length !== columns);
  const report = (message: string): void => void problems.push({ code: 'shape-mismatch', path, message });
  if (rows !== buckets) report(t('{0} has {1}, expected {2}', path, counted(rows, 'row'), buckets));
  if (columns !== heads) report(t('{0} has {1}, expected {2}', path, counted(columns, 'column'), heads));
  if (ragged > 0) report(t('{0}: row {1} has {2}, row 1 has {3}', path, ragged + 1, counted(table[ragged]?.length ?? 0, 'number'), columns)); // prettier-ignore
}

const nameOf = (own: RelativeBias | null): string =>
  own === null ? 'none' : own.bidirectional ? 'bidirectional' : 'causal';

const notes: Readonly<Record<string, () => string>> = {
  none: () => t('Scores depend on distances only as positions have it.'),
  bidirectional: () => t('A learned number for each bucket of distances, before and after (bidirectional=True: T5’s encoder). T5 has the table in its first layer, for all layers, and does not scale its scores.'),
  causal: () => t('A learned number for each bucket of distances, keys after a query as distance 0 (bidirectional=False: T5’s decoder). T5 does not scale its scores.'),
}; // prettier-ignore

const has = (spec: Spec, s: Switches['relativeBias']): boolean => hasScores(spec) && s.relativeBias !== null;

const fields: Fields<typeof kinds, Spec, Switches, Switches['relativeBias']> = {
  relativeBias: {
    describe: () => t('T5’s bias: a number for each bucket of distances and each head, added to the scores.'),
    initial: 'absent',
    example: '={"bidirectional":true}',
    limits: check,
    ignored: {
      relativeBias: ({ start, relativeBias }, plan) =>
        start.from === 'weights' && relativeBias !== undefined ? plan.begins : undefined,
    },
    panel: {
      read: ({ relativeBias = null }) => ({ relativeBias }),
      write: (_, { relativeBias }) => relativeBias ?? undefined,
      controls: [
        {
          id: 'relativeBias',
          group: 'input',
          kind: 'choice',
          part: 'relativeBias',
          label: () => t('Relative bias'),
          explain: () => t('T5’s bias by the bucket of a distance.'),
          explainChoice: (s) => notes[nameOf(s.relativeBias)]?.() ?? '',
          paths: ['relativeBias', 'relativeBias.table'],
          applies: hasScores,
          options: () => listed({ none: t('None'), bidirectional: t('T5, both sides'), causal: t('T5, causal') }),
          get: (s) => nameOf(s.relativeBias),
          set: (s, value, { relativeBias: own }) => ({
            relativeBias:
              value === 'none' ? null : { ...(s.relativeBias ?? own), bidirectional: value === 'bidirectional' },
          }),
          brief: (text) => (text === t('None') ? '' : text),
        },
        {
          id: 'buckets',
          group: 'input',
          kind: 'number',
          part: 'relativeBias',
          limit: bucketLimit,
          label: () => t('Buckets'),
          explain: () =>
            t(
              'relative_attention_num_buckets, 32 in T5: how many numbers each head has. With both sides half of them are for keys after the query.',
            ),
          paths: ['relativeBias.buckets'],
          applies: (spec, s) => has(spec, s) && s.relativeBias?.table === undefined,
          get: ({ relativeBias: own }) => (own ? String(bucketingOf(own).buckets) : ''),
          set: ({ relativeBias: own }, buckets) => ({ relativeBias: own && { ...own, buckets } }),
          brief: () => '',
        },
        {
          id: 'maxDistance',
          group: 'input',
          kind: 'number',
          part: 'relativeBias',
          limit: distanceLimit,
          label: () => t('Largest distance'),
          explain: () => t('relative_attention_max_distance, 128 in T5: from there on all distances share a bucket.'),
          paths: ['relativeBias.maxDistance'],
          applies: has,
          get: ({ relativeBias: own }) => (own ? String(bucketingOf(own).maxDistance) : ''),
          set: ({ relativeBias: own }, maxDistance) => ({ relativeBias: own && { ...own, maxDistance } }),
          brief: () => '',
        },
      ],
    },
  },
};

export const relating = { kinds, fields };
