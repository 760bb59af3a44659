/** The families of models that can be read, each as an architecture written from its config.json. */
import type { Family } from './family';
import { bert, distilbert, roberta } from './bert';
import { gpt2 } from './gpt2';
import { gemma3, llamaFamilies } from './llama';
import { neox } from './neox';
import { phi } from './phi';
import { t5 } from './t5';

export type { Family, Source } from './family';

/** By `model_type` of config.json. */
export const families: Readonly<Record<string, Family>> = {
  gpt2,
  gpt_neox: neox,
  bert,
  distilbert,
  roberta,
  'xlm-roberta': roberta,
  ...llamaFamilies,
  gemma3,
  phi,
  t5,
  mt5: t5,
};
