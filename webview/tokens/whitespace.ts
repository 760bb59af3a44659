import { t, type AttentionSpec, type Token } from '../../engine/index';
import { isVocabulary } from '../choices';
import { h } from '../draw';

/** Rows of a matrix have no ids but their numbers. */
export const hasIds = ({ start }: AttentionSpec): boolean => start.from === 'text' || start.from === 'ids';

/** How the engine writes white space in a vocabulary's tokens, and how it is spoken. */
const signs: Readonly<Record<string, string>> = {
  '·': t('blank'),
  '→': t('tab'),
  '↵': t('line end'),
  '␍': t('carriage return'),
};
const plainSigns: Readonly<Record<string, string>> = { ' ': '·', '\t': '→', '\n': '↵', '\r': '␍' };

/** White space as a dim sign, so that a token is told from another by its leading blank. */
export function written({ text, special }: Token): Node[] {
  if (special) return [document.createTextNode(text)];
  const parts = text.split(/([·→↵␍ \t\n\r])/).filter(Boolean);
  return parts.map((part) => {
    const sign = plainSigns[part] ?? (part in signs ? part : undefined);
    return sign === undefined ? document.createTextNode(part) : h('span', { class: 'blank' }, sign);
  });
}

/** `Token 3: blank capital, id 3139`; signs are words, since a middle dot is not always read. */
export function spokenName({ text, id, special }: Token, i: number, spec: AttentionSpec): string {
  const { start } = spec;
  const cutByVocabulary = start.from === 'text' && isVocabulary(start.tokenizer);
  const spoken = (sign: string): string => ` ${signs[plainSigns[sign] ?? sign] ?? sign} `;
  const name = special ? text : text.replace(cutByVocabulary ? /[·→↵␍]/g : /[ \t\n\r]/g, spoken).trim();
  return [t('Token {0}: {1}', i, name), hasIds(spec) && t('id {0}', id), special && t('special token')]
    .filter(Boolean)
    .join(', ');
}
