/** What rows have in common that change a shape or the place of cells. */
import { t } from '../../text';
import type { Shape } from '../tensor';
import type { TensorValue } from '../machine';
import { notFollowed, type Call, type Row } from './table';

export const ofShape = (tensor: TensorValue): Shape => tensor.node.shape ?? [];

export const notKnown = (call: Call): never => notFollowed(call.m, t('its shape is not known'));

const doc = (name: string): string => `PyTorch, ${name}; NumPy, array manipulation routines`;

export const row = (
  names: string,
  signature: string,
  run: Row['run'],
  oracle: Row['oracle'] = 'torch',
  property = false,
): Row => ({
  names,
  signature,
  run,
  source: doc(names.split(' ')[0] as string),
  oracle,
  ...(property ? { property } : {}),
});
