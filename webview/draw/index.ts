/* Shared building blocks of the page: DOM elements and toolkit controls, colours, number formats, sentences with coloured symbols. */

export {
  css,
  inkOn,
  jointRange,
  logPlace,
  logWeight,
  luminance,
  mix,
  colourLimitOf,
  scaleOf,
  spacingOf,
  type Coloured,
  type Palette,
  type Range,
  type Rgb,
  type Scale,
} from './colours';
export { defer } from './deferred';
export { enableLinks, ensureTabStop, withTabStop } from './links';
export { nextFrame } from './next-frame';
export { brief, exactNumber, formatNumber, formatOf, percent, repr, type NumberFormat } from './numbers';
export { prose, roleClass, type ProseOptions } from './prose';
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
