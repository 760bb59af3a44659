import { t, counted, type Problem } from '../text';
import type { AttentionSpec } from '../spec';
import { providedModel } from './model';

/** Why a spec with a model cannot be planned: its file has not been read, it reads fewer tokens, or its sizes are others. */
export function modelProblem(spec: AttentionSpec, tokens: number): Problem | undefined {
  if (!spec.model) return undefined;
  const { name } = spec.model;
  const model = providedModel(spec.model);
  const problem = (code: string, path: string, message: string, hint: string): Problem => ({ code, path, message, hint });
  if (!model) return problem(modelNeeded, 'model', t('the model {0} has not been read', name), t('It comes with the extension; models of other versions are not in it.'));
  if (tokens > model.context)
    return problem('too-large', 'start.text', t('{0} for {1}, which reads at most {2}', counted(tokens - 1, 'token'), name, model.context - 1), t('Select less text, or choose random weights.'));
  if (model.width % spec.heads !== 0)
    return problem('shape-mismatch', 'heads', t('{0} heads do not divide the width of {1}, {2}', spec.heads, name, model.width), t('It was trained with {0}.', model.heads));
  const layers = spec.block?.layers ?? 1;
  if (layers > model.layers)
    return problem('shape-mismatch', 'block.layers', t('{0} layers, and {1} has {2}', layers, name, model.layers), t('Take at most as many.'));
  return undefined;
} // prettier-ignore

/** Code of the problem that goes away once the model's file is read. */
export const modelNeeded = 'model-needed';
