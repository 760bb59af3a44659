import { t } from '../../engine/index';
import { dropdown, h, setText } from '../draw';

export interface Display {
  readonly element: HTMLElement;
  update(columns: boolean): void;
}

const notes = {
  rows: t('A row for each token, Q = X·W, as code has it. Display only; T switches.'),
  columns: t('A column for each token, Q = W·X, as papers with W·x have it. Display only; T switches.'),
} as const;

/** The control that draws tokens as rows or columns. It is a display setting, so no number depends on it. */
export function createDisplay(onColumns: (columns: boolean) => void): Display {
  const field = dropdown({
    label: t('Tokens as'),
    options: [
      { value: 'rows', text: t('Rows') },
      { value: 'columns', text: t('Columns') },
    ],
    onChange: (value) => onColumns(value === 'columns'),
  });
  field.element.setAttribute('data-control', 'columns');
  const note = h('p', { class: 'note' });
  const line = h(
    'div',
    { class: 'control-line' },
    h('span', { class: 'control-label' }, t('Tokens as')),
    field.element,
  );
  return {
    element: h('div', { class: 'control', 'data-control-row': 'columns' }, line, note),
    update(columns) {
      const value = columns ? 'columns' : 'rows';
      field.set(value);
      setText(note, notes[value]);
      field.describe({ description: notes[value] });
    },
  };
}
