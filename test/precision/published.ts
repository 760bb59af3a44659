/**
 * What the check says of mistakes that were published (test/reference/published.py, PyTorch): `npx tsx test/precision/published.ts` prints the table
 * of PUBLISHED.md.
 */
import { publishedMistakes, saidOfPublished } from '../engine/published';

const cells = publishedMistakes('/usr/bin/python3').map((one) => {
  const { checked, names } = saidOfPublished(one);
  const said = names.length > 0 ? names.join(' *or* ') : `${checked.is}: ${checked.is === 'none' ? (checked.nearest?.step.id ?? '') : ''}`; // prettier-ignore
  return [`[${one.source.replace(/\/(issues|pull)\//, '#')}](https://github.com/${one.source})`, one.was, said];
});
const heads = ['source', 'what the code did', 'what the check says'];
console.log([heads, heads.map(() => '---'), ...cells].map((row) => `| ${row.join(' | ')} |`).join('\n'));
console.log(
  `\n${cells.length} published mistakes, ${cells.filter(([, , said]) => !said?.includes(':')).length} named.`,
);
