/** Comments that keep a rule silent: `# explain-attention: ignore[softmax-axis]` on the line, or on a line of its own above; without a list all rules. */
import type { TextRange } from '../../text';

const comment = /#\s*explain-attention:\s*ignore(?:\[([^\]]*)\])?/;

export function isIgnored(text: string, rule: string, { start, end }: TextRange): boolean {
  const first = text.lastIndexOf('\n', start - 1) + 1;
  const last = text.indexOf('\n', Math.max(start, end - 1));
  const lines = text.slice(first, last < 0 ? text.length : last).split('\n');
  const above = text.slice(text.lastIndexOf('\n', first - 2) + 1, Math.max(0, first - 1));
  const own = /^\s*#/.test(above) ? [above, ...lines] : lines;
  return own.some((line) => {
    const found = comment.exec(line);
    return found !== null && (found[1] === undefined || found[1].split(',').some((one) => one.trim() === rule));
  });
}
