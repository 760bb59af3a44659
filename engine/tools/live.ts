import { fail, t } from '../text';
import type { Input, Lines, ToolHost } from './tool';

/** What stands for one value: names, attributes and whole numbers or texts in brackets, and nothing that runs. */
const plainName = /^[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*|\[(?:-?\d+|'[^'\\\n]*'|"[^"\\\n]*")\])*$/u;
const plainSlice = /^[\s\d:,.-]+$/;

export async function explainLiveOf(input: Input, host: ToolHost): Promise<Lines> {
  const [name, slice] = [String(input['name']).trim(), input['slice']];
  if (!plainName.test(name))
    return fail({ code: 'input', message: t('{0} is no name: nothing is run in the stopped program', name.slice(0, 60)) });
  if (slice !== undefined && !plainSlice.test(String(slice)))
    return fail({ code: 'input', message: t('{0} is no slice such as {1}', String(slice).slice(0, 60), '0, :8, :8') });
  if (!host.live) return fail(nothingStopped());
  return host.live({ name, ...(slice !== undefined && { slice: String(slice) }) });
} // prettier-ignore

const nothingStopped = () => ({
  code: 'not-stopped',
  message: t('Nothing is stopped in a debugger here.'),
  hint: t('The values of a running program are read in VS Code, while it is stopped; elsewhere print them, or save them to a file, and give their numbers.'),
}); // prettier-ignore
