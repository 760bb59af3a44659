import { t, say } from '../../text';
import type { Fields } from '../field';
import { record, texts, type RecordOf } from '../kinds';
import type { Start } from './start';

/* What rows and columns are called. */

const kinds = {
  required: {},
  optional: {
    /** Names of the rows of X or Q (tokens), and of K and V where they differ. */
    labels: record({ required: {}, optional: { queries: texts, keys: texts } }),
  },
} as const;

interface Spec extends RecordOf<typeof kinds> {
  readonly start: Start;
}

/** Only the input can say them. */
export type Switches = unknown;

const fields: Fields<typeof kinds, Spec, Switches, unknown> = {
  labels: {
    describe: () => t('Names of the rows of X or Q, and of K and V.'),
    initial: 'absent',
    example: '.queries=["a","b"]',
    limits: 'none',
    ignored: {
      labels: ({ labels, start }) =>
        labels && (start.from === 'text' || start.from === 'ids')
          ? say('the tokens have names of their own')
          : undefined,
    },
    panel: 'none',
  },
};

export const labelling = { kinds, fields };
