import type { Lesson, Problem } from '../../engine/index';
import type { Translate } from './read';

/** HTML and links that a browser would execute or fetch. */
const active = /<(?:script|iframe|object|embed|link|meta|base|form)\b|<[a-z][^<>]{0,500}?\son[a-z]{3,20}\s*=|\]\(\s*(?:javascript|data|vbscript):/gi; // prettier-ignore
const mostProblems = 20;

/** Problems for scripts in a lesson's prose. They are never executed, and the author should know. */
export function scriptsIn({ parts }: Pick<Lesson, 'parts'>, t: Translate): readonly Problem[] {
  const problems: Problem[] = [];
  for (const part of parts) {
    if (part.kind !== 'prose') continue;
    for (const found of part.text.matchAll(active)) {
      if (problems.length === mostProblems) return problems;
      const start = part.range.start + found.index;
      const message = t('HTML that would run or load something is shown as text in a lesson, and never run');
      problems.push({ code: 'script', message, range: { start, end: start + found[0].length } });
    }
  }
  return problems;
}
