import { t } from '../../text';
import { trainingOf } from '../box';
import { listed, type Fields } from '../field';
import { expected, record, text, type Kind, type RecordOf } from '../kinds';
import { hasX, type Start } from './start';

/* A trained model whose weights stand where the spec would draw them. */

const hash: Kind<string> = {
  check: expected(
    () => t('a SHA-256 in 64 hexadecimal digits'),
    (v) => typeof v === 'string' && /^[0-9a-f]{64}$/.test(v),
  ),
  schema: () => ({ type: 'string', pattern: '^[0-9a-f]{64}$' }),
};

const kinds = {
  required: {},
  optional: {
    /** A trained model of the extension: see `ModelName`. */
    model: record({ required: { name: text, sha256: hash } }),
  },
} as const;

/**
 * A model that comes with the extension, by its name and the SHA-256 of its file. Wherever the spec would draw weights (embedding, positions,
 * projections, W_O, norms, feed-forward), those of the model stand instead; all else is as the spec says. Without this field the same spec shows the
 * same layers untrained.
 */
export type ModelName = NonNullable<RecordOf<typeof kinds>['model']>;

interface Spec extends RecordOf<typeof kinds> {
  readonly start: Start;
}

export interface Switches {
  readonly model: {
    /** The name of the model; empty: weights are drawn. */
    readonly model: string;
  };
}

/** Whether the weights of a feed-forward layer are drawn: a model may have none, and none has SwiGLU's. */
export const drawsFeedForward = ({
  model,
  feedForward: of,
}: {
  readonly model: string;
  readonly feedForward: string;
}): boolean => of !== 'none' && (model === '' || of === 'swiglu' || trainingOf(model).length > 0);

/** What a choice whose numbers are drawn is called: where a trained model's stand instead, by its name. */
export const learnedOr = (model: string, drawn: string): string => (model ? t('Learned by {0}', model) : drawn);

const fields: Fields<typeof kinds, Spec, Switches, Switches['model']> = {
  model: {
    describe: () => t('A trained model of the extension, whose weights stand where they would be drawn.'),
    initial: 'absent',
    example: 'fixed',
    limits: ({ model, start }, problems) => {
      if (!model || start.from === 'text' || start.from === 'ids') return;
      const message = t('{0} reads tokens, and the spec starts from {1}', model.name, start.from);
      problems.push({ code: 'model', path: 'model', message, hint: t('Start from text, or leave the model out.') });
    },
    ignored: {
      model: ({ model, start }, plan) => (model && !hasX({ start }) ? plan.begins : undefined),
    },
    panel: {
      read: ({ model }) => ({ model: model?.name ?? '' }),
      write: ({ model: own }, { model }) => (own?.name === model ? own : checkpointOf(own, model)),
      controls: [
        {
          id: 'model',
          group: 'input',
          kind: 'choice',
          label: () => t('Weights'),
          explain: () => t('Learned by a trained model, or drawn at random.'),
          explainChoice: ({ model }) =>
            model
              ? t('Learned: this model was trained; what its heads do was measured.')
              : t('Random: what the same layers compute before any training.'),
          paths: ['model'],
          applies: ({ model }) => model !== undefined,
          options: ({ model }) => [
            ...(model ? namesBeside(model).map((name) => ({ value: name, text: t('Trained: {0}', name) })) : []),
            ...listed({ '': t('Random: untrained') }),
          ],
          get: (s) => s.model,
          set: (_, model) => ({ model }),
          brief: (shown, { model }) => (model ? shown : ''),
        },
      ],
    },
  },
};

/** A model, and the other checkpoints of its training. */
function namesBeside({ name }: ModelName): readonly string[] {
  const names = trainingOf(name).map((model) => model.name);
  return names.length ? names : [name];
}

/** Another checkpoint of the same training; no other model can stand in the place of one. */
function checkpointOf(own: ModelName | undefined, name: string): ModelName | undefined {
  const found = trainingOf(own?.name ?? '').find((model) => model.name === name);
  return found && { name: found.name, sha256: found.sha256 };
}

export const training = { kinds, fields };
