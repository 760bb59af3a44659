import { t, type AttentionSpec } from '../../engine/index';
import type { Switches } from '../page/switches';
import { choices, hasX, type Control } from './kinds';

/** Whether columns can be cut into heads: matrices that came one a head cannot. */
const cuts = (spec: AttentionSpec): boolean =>
  hasX(spec) || (spec.start.from === 'qkv' && typeof spec.start.q[0]?.[0] !== 'object');

const hasOutput = ({ start }: AttentionSpec): boolean =>
  start.from === 'text' || start.from === 'ids' || start.from === 'x' || start.v !== undefined;

/** How many heads there are and how they come together. */
export const headsControls: readonly Control[] = [
  {
    id: 'heads', group: 'heads', kind: 'number', label: t('Heads'),
    expected: t('a whole number from 1 to 256'), whole: true, min: 1, max: 256,
    explain: t('Attention this many times side by side, each with columns of its own.'),
    paths: ['heads'], applies: cuts,
    get: (s) => String(s.heads),
    set: (s, heads) => ({ ...s, heads }),
  },
  {
    id: 'kvHeads', group: 'heads', kind: 'number', label: t('Key and value heads'),
    expected: t('a whole number from 1 to 256'), whole: true, min: 1, max: 256,
    explain: t('Fewer than heads: query heads share them (grouped-query attention; 1 is multi-query).'),
    paths: ['kvHeads'], applies: (spec, s) => cuts(spec) && s.heads > 1,
    get: (s) => String(s.kvHeads ?? s.heads),
    set: (s, kvHeads) => ({ ...s, kvHeads: kvHeads === s.heads ? null : kvHeads }),
  },
  {
    id: 'output', group: 'heads', kind: 'choice', label: t('Output projection'),
    explain: t('W_O mixes the joined heads.'),
    paths: ['outputProjection', 'outputProjection.wo', 'outputProjection.bo'], applies: hasOutput,
    options: ({ outputProjection }) => [
      ...(outputProjection?.from === 'given' ? [{ value: 'given', text: t('Your W_O') }] : []),
      { value: 'none', text: t('None') },
      { value: 'random', text: t('Random W_O') },
    ],
    get: (s) => s.output,
    set: (s, output) => ({ ...s, output: output as Switches['output'] }),
  },
  {
    id: 'outputBias', group: 'heads', kind: 'choice', label: t('Its bias'),
    explain: t('A row b_O added to every row of the output.'),
    paths: ['outputProjection.bias'], applies: (spec, s) => hasOutput(spec) && s.output === 'random',
    options: choices({ no: t('None'), yes: t('Random') }),
    get: (s) => (s.outputBias ? 'yes' : 'no'),
    set: (s, value) => ({ ...s, outputBias: value === 'yes' }),
  },
]; // prettier-ignore
