import { t, type AttentionSpec, type Token } from '../../engine/index';
import { isVocabulary } from '../choices';
import { h } from '../draw';

/** Whether tokens have ids. The rows of a given matrix have only their index. */
export const hasIds = ({ start }: AttentionSpec): boolean => start.from === 'text' || start.from === 'ids';

/** Signs that the engine puts for white space in a vocabulary's tokens, with their spoken names. */
const signs: Readonly<Record<string, string>> = {
  '·': t('blank'),
  '→': t('tab'),
  '↵': t('line end'),
  '␍': t('carriage return'),
};
const plainSigns: Readonly<Record<string, string>> = { ' ': '·', '\t': '→', '\n': '↵', '\r': '␍' };

/** Shows white space as dim signs, so that tokens that differ in a leading space can be told apart. */
export function written({ text, special }: Token): Node[] {
  if (special) return [document.createTextNode(text)];
  const parts = text.split(/([·→↵␍ \t\n\r])/).filter(Boolean);
  return parts.map((part) => {
    const sign = plainSigns[part] ?? (part in signs ? part : undefined);
    return sign === undefined ? document.createTextNode(part) : h('span', { class: 'blank' }, sign);
  });
}

/** Accessible name: `Token 3: blank capital, id 3139`. Signs are spelled out, since screen readers may skip a middle dot. */
export function spokenName({ text, id, special }: Token, i: number, spec: AttentionSpec): string {
  const { start } = spec;
  const cutByVocabulary = start.from === 'text' && isVocabulary(start.tokenizer);
  const spoken = (sign: string): string => ` ${signs[plainSigns[sign] ?? sign] ?? sign} `;
  const name = special ? text : text.replace(cutByVocabulary ? /[·→↵␍]/g : /[ \t\n\r]/g, spoken).trim();
  return [t('Token {0}: {1}', i, name), hasIds(spec) && t('id {0}', id), special && t('special token')]
    .filter(Boolean)
    .join(', ');
}
