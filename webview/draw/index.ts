/* Shared building blocks of the page: DOM elements and toolkit controls, colours, number formats, sentences with coloured symbols. */

export {
  css,
  inkOn,
  jointRange,
  luminance,
  mix,
  colourLimitOf,
  type Palette,
  type Range,
  type Rgb,
  type Scale,
} from './colours';
export { logPosition, logWeight, scaleOf, scales, spacingOf, type Coloured } from './scales';
export { defer } from './deferred';
export { enableLinks, ensureTabStop, withTabStop } from './links';
export { nextFrame } from './next-frame';
export { brief, exactNumber, formatNumber, formatOf, percent, repr, type NumberFormat } from './numbers';
export { prose, roleClass, type ProseOptions } from './prose';
export { scrollTo } from './scroll-to';
export { isStandalone } from './standalone';
export { attributeText, plain, symbolNodes, typeset } from './symbols';
export {
  badge,
  button,
  dropdown,
  h,
  icon,
  progressRing,
  registerControls,
  setAttribute,
  setChildren,
  setDisabled,
  setText,
  setTypeset,
  svgElement,
  textField,
  type Child,
  type Field,
} from './ui';
export { watchedSize, watchedWidth, type Size } from './watched-width';
