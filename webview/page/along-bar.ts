import { t } from '../../engine/index';
import type { AlongAct, AlongPlace } from '../protocol';
import { button, h, icon, setDisabled, setText } from '../draw';

/** Where the reader is in a document that is read from place to place, and what leads on. */
export interface AlongBar {
  readonly element: HTMLElement;
  update(place: AlongPlace | undefined): void;
}

export function createAlongBar(act: (act: AlongAct) => void): AlongBar {
  const tool = (label: string, name: 'left' | 'right' | 'close', title: string, what: AlongAct): HTMLElement =>
    button({ label, icon: name, iconOnly: true, title, onClick: () => act(what) });
  const back = tool(t('Read Along: the place before'), 'left', t('The place before ({0})', 'Alt+PageUp'), 'previous');
  const forth = tool(t('Read Along: the next place'), 'right', t('The next place ({0})', 'Alt+PageDown'), 'next');
  const close = tool(t('Read Along: end'), 'close', t('End reading along ({0})', 'Alt+End'), 'stop');
  const play = h('vscode-button', { appearance: 'secondary', class: 'along-play' });
  play.addEventListener('click', () => act('play'));
  const pace = button({ label: '1×', onClick: () => act('faster') });
  pace.setAttribute('appearance', 'icon');
  // Toolkit: it gives such a button an English name.
  pace.ariaLabel = t('Speed');
  const says = h('p', { class: 'along-says', 'aria-live': 'polite' });
  const source = h('pre', { class: 'along-source', hidden: true });
  const element = h('div', { class: 'along-bar', role: 'region', 'aria-label': t('Read Along'), hidden: true }, h('div', { class: 'along-tools' }, back, play, forth), says, h('div', { class: 'along-tools' }, pace, close), source); // prettier-ignore
  let drawn: boolean | undefined;
  return {
    element,
    update(place) {
      element.hidden = place === undefined;
      if (!place) return;
      setText(says, `${t('{0} of {1}', place.at, place.of)}: ${place.says}`);
      setDisabled(back, place.at <= 1);
      setDisabled(forth, place.at >= place.of);
      const [before = '', own = '', behind = ''] = place.excerpt ?? [];
      source.hidden = own === '';
      source.replaceChildren(before, h('mark', {}, own), behind);
      setText(pace, place.pace);
      pace.ariaLabel = t('Speed {0}', place.pace);
      if (drawn === place.playing) return;
      drawn = place.playing;
      const label = place.playing ? t('Pause') : t('Play');
      play.ariaLabel = `${label}, ${t('Read Along')}`;
      play.replaceChildren(icon(place.playing ? 'pause' : 'play', true), label);
    },
  };
}
