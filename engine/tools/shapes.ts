import { fail, ok, positionAt, t, type Result } from '../text';
import { fitOf, type Shape } from './fit';
import { attentionOf, noteLines, sourceOf, type Source } from './reading';
import { hasAttentionCode } from '../python';
import type { Input, Lines, ToolHost } from './tool';
import { planOf } from '../plan';

export async function checkShapesOf(input: Input, host: ToolHost): Promise<Lines> {
  const { shapes, ...others } = input;
  if (shapes !== undefined) {
    if (Object.keys(others).length > 0)
      return fail({ code: 'input', message: t('expected either {0} or {1}', 'shapes', 'text, file') });
    return ofShapes(shapes as Input);
  }
  const source = await sourceOf(input, host);
  if (!source.ok) return source;
  const { text, path } = source.value;
  const isCode = source.value.isProgram || path?.endsWith('.py') || /^\s*(?:import|from)\s/m.test(text);
  return isCode || hasAttentionCode(text) ? ofCode(source.value, host) : ofMatrices(source.value, host);
}

// --- named shapes ---------------------------------------------------------------------

const roles = { q: 'Q', k: 'K', v: 'V', mask: 'mask' } as const;
const largestSize = 2_147_483_647;

function ofShapes(given: Input): Lines {
  const found: { -readonly [role in keyof typeof roles]?: Shape } = {};
  for (const [name, value] of Object.entries(given)) {
    const role = name.toLowerCase();
    if (!(role in roles)) return fail({ code: 'input', message: t('{0}: expected {1}', `shapes.${name}`, 'Q, K, V, mask') });
    const shape = shapeOf(name, value, role === 'mask' ? 1 : 2);
    if (!shape.ok) return shape;
    found[role as keyof typeof roles] = shape.value;
  }
  const { q, k } = found;
  if (!q || !k) return fail({ code: 'input', message: t('{0} is missing', `shapes.${q ? 'K' : 'Q'}`) });
  const { fits, lines } = fitOf({ ...found, q, k });
  return ok([fits ? t('The shapes fit.') : t('The shapes do not fit.'), ...lines]);
} // prettier-ignore

function shapeOf(name: string, value: unknown, fewest: number): Result<Shape> {
  const isSize = (size: unknown): size is number => Number.isInteger(size) && Number(size) >= 1 && Number(size) <= largestSize; // prettier-ignore
  return Array.isArray(value) && value.length >= fewest && value.length <= 8 && value.every(isSize)
    ? ok(value)
    : fail({ code: 'input', message: t('{0}: expected {1}, found {2}', `shapes.${name}`, t('{0} to {1} sizes from 1', fewest, 8), (JSON.stringify(value) ?? '').slice(0, 60)) }); // prettier-ignore
}

// --- code and matrices ----------------------------------------------------------------

const longestCode = 60;

/** Exceptions first: an answer has its limit. */
async function ofCode({ text, path }: Source, host: ToolHost): Promise<Lines> {
  const reply = await host.ask('lines', { text }, path);
  if (!reply.ok) return reply;
  const written = reply.value.map(({ range, error, label, standIn, sample }) => {
    const { line } = positionAt(text, range.start);
    const code = text.slice(range.start, range.end).replace(/\s+/g, ' ').trim();
    const short = code.length > longestCode ? `${code.slice(0, longestCode - 1)}…` : code;
    const stands = (standIn || sample) && error === undefined ? ` (${t('sizes stand in: nothing calls this')})` : '';
    return { error, line: `${t('line {0}', line)}: ${error ?? label}${stands}   ${short}` };
  });
  if (written.length === 0) return ok([t('No line of this code has a shape that is known.')]);
  const errors = written.filter(({ error }) => error !== undefined);
  const head = errors.length > 0 ? t('Python raises an exception here:') : t('All lines that were followed fit.');
  const rest = written.filter(({ error }) => error === undefined);
  return ok([head, ...errors.map(({ line }) => line), ...(rest.length > 0 ? [t('Shapes of the lines:'), ...rest.map(({ line }) => line)] : [])]); // prettier-ignore
}

async function ofMatrices(source: Source, host: ToolHost): Promise<Lines> {
  const read = await attentionOf(source, {}, host);
  if (!read.ok) return read;
  const plan = planOf(read.value.spec);
  if (!plan.ok) return plan;
  const steps = plan.value.steps.map(({ id, symbol, shape }) => `${id}  ${symbol}  ${shape.join('×')}`);
  return ok([t('The shapes fit.'), ...steps, ...noteLines(read.value.notes)]);
}
