import { t, fail, type Problem, type Result } from '../text';
import { openNpy } from './npy';
import { openNpz } from './npz';
import { openSafetensors } from './safetensors';
import { readBytes, type ByteSource, type ReadProgress } from './source';
import type { TensorFile } from './tensor-file';
import { openText } from './text';

/** Extensions that `Open Tensor File…` offers. Binary formats are recognized by their first bytes under any name. */
export const tensorExtensions = ['npy', 'npz', 'safetensors', 'csv', 'tsv', 'json'] as const;

/**
 * Opens a file of tensors: by its first bytes (`.npy`, `.npz`), else by its extension. Reads no numbers. A damaged file gives Problems with
 * byte offsets; only `readRange` can reject.
 */
export async function openTensorFile(
  source: ByteSource,
  name: string,
  watch?: ReadProgress,
): Promise<Result<TensorFile>> {
  const start = await readBytes(source, 0, Math.min(4, source.size), t('the beginning'));
  if (!start.ok) return start;
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  const [a, b, c, d] = start.value;
  const zipped = a === 0x50 && b === 0x4b && ((c === 3 && d === 4) || (c === 5 && d === 6));
  if (pickles.has(extension)) return fail(pickled(name));
  if (extension === 'safetensors') return openSafetensors(source);
  if (zipped) return openNpz(source, watch);
  if (extension === 'npy' || a === 0x93) return openNpy(source);
  if (extension === 'npz') return openNpz(source, watch);
  if (extension === 'json') return openText(source, 'json', watch);
  if (extension === 'csv' || extension === 'tsv' || extension === 'txt') return openText(source, 'csv', watch);
  return fail(unknown(name));
}

const pickles = new Set(['pt', 'pth', 'pkl', 'pickle', 'bin', 'ckpt']);

const pickled = (name: string): Problem => ({
  code: 'format',
  message: t('{0} is a pickle, which is a program: it is not run', name),
  hint: t('Save the tensors with safetensors.torch.save_file or np.savez.'),
});

const unknown = (name: string): Problem => ({
  code: 'format',
  message: t('{0} is no file of tensors that is known', name),
  hint: t('Known are {0}.', tensorExtensions.map((extension) => `.${extension}`).join(', ')),
});
