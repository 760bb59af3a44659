import {
  t,
  type AttentionSpec,
  type Choice,
  type Control,
  type GroupId,
  type Quantity,
  type Start,
} from '../../engine/index';
import type { ControlValues } from '../choices';

/** A control of a field of the spec (declared with the field), or of the display. */
export type PageControl = Control<AttentionSpec, ControlValues>;
export type PageChoice = Choice<AttentionSpec, ControlValues>;
export type PageQuantity = Quantity<AttentionSpec, ControlValues>;

export const groups: Readonly<Record<GroupId, string>> = {
  tokens: t('Tokens'),
  input: t('Embedding and positions'),
  projections: t('Projections'),
  heads: t('Heads'),
  scores: t('Scores: scale and mask'),
  block: t('Layer around attention'),
  numbers: t('Numbers and display'),
};

/** Why a group has nothing to change for this input. */
export function groupNote(group: GroupId, { start }: AttentionSpec): string | undefined {
  if (group === 'input') return notEmbedded[start.from];
  if (group === 'projections') return notBefore[start.from];
  return group === 'scores' && start.from === 'weights'
    ? t('The weights were given: nothing is left to scale or mask.')
    : undefined;
}

const notEmbedded: Readonly<Partial<Record<Start['from'], string>>> = {
  qkv: t('Q and K were given: nothing is embedded.'),
  scores: t('The scores were given: nothing is embedded.'),
  weights: t('The weights were given: nothing is embedded.'),
};

const notBefore: Readonly<Partial<Record<Start['from'], string>>> = {
  qkv: t('Q and K were given: nothing before them is computed.'),
  scores: t('The scores were given: nothing before them is computed.'),
  weights: t('The weights were given: nothing before them is computed.'),
};
