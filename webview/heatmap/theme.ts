import { luminance, mix, type Palette, type Rgb } from '../draw';

/**
 * The palette of the page's theme, from the variables that matrices.css derives from VS Code's. They are read from the body, as a new
 * heatmap may not be in the page yet.
 */
function readPalette(): Palette {
  const style = getComputedStyle(document.body);
  const read = (name: string, fallback: string, under?: Rgb): Rgb =>
    resolve(style.getPropertyValue(name).trim() || fallback, under);
  const background = read('--heatmap-background', '#1f1f1f');
  const foreground = read('--heatmap-foreground', '#cccccc', background);
  const light = luminance(background) > 0.4;
  const neutral = read('--heatmap-neutral', css(mix(background, foreground, 0.09)), background);
  const outline = style.getPropertyValue('--heatmap-outline').trim();
  return {
    background,
    foreground,
    neutral,
    negative: read('--heatmap-negative', light ? '#c2570c' : '#d8702a', background),
    positive: read('--heatmap-positive', light ? '#1668c7' : '#4a9ff5', background),
    hatch: mix(neutral, foreground, 0.24),
    error: read('--heatmap-error', light ? '#c72e0f' : '#f14c4c', background),
    ...(outline && outline !== 'none' ? { outline: resolve(outline, background) } : {}),
    light,
  };
}

const css = (c: Rgb): string => `rgb(${c.join(' ')})`;

let probe: CanvasRenderingContext2D | null | undefined;

/** A CSS colour as the browser would paint it over `under`. Variables may contain names, hex, `color-mix()`, alpha. */
function resolve(colour: string, under: Rgb = [0, 0, 0]): Rgb {
  probe ??= Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', {
    willReadFrequently: true,
  });
  if (!probe) throw new Error('this page has no 2D canvas');
  probe.fillStyle = css(under);
  probe.fillRect(0, 0, 1, 1);
  probe.fillStyle = colour;
  probe.fillRect(0, 0, 1, 1);
  const [r = 0, g = 0, b = 0] = probe.getImageData(0, 0, 1, 1).data;
  return [r, g, b];
}

/** Observes what VS Code changes with the theme. Its records are checked before each use, as other observers may run earlier. */
let changes: MutationObserver | undefined;
/** Number of theme changes so far. */
let moment = 0;

const queries = ['(forced-colors: active)', '(prefers-contrast: more)', '(prefers-color-scheme: dark)'];

function observeTheme(): MutationObserver {
  const changed = (): void => void moment++;
  const observer = new MutationObserver(changed);
  const attributeFilter = ['class', 'style', 'data-vscode-theme-kind', 'data-vscode-theme-id'];
  for (const element of [document.body, document.documentElement]) observer.observe(element, { attributeFilter });
  observer.observe(document.head, { childList: true, subtree: true, characterData: true });
  for (const query of queries) matchMedia(query).addEventListener('change', changed);
  // Style sheets that were still loading.
  if (document.readyState !== 'complete') addEventListener('load', changed);
  return observer;
}

function now(): number {
  changes ??= observeTheme();
  if (changes.takeRecords().length) moment++;
  return moment;
}

/** Caches the result of `read` until the theme changes: reading styles makes the browser compute them. */
export function onceATheme<T>(read: () => T): () => T {
  let kept: { readonly at: number; readonly value: T } | undefined;
  return () => {
    const at = now();
    if (kept?.at !== at) kept = { at, value: read() };
    return kept.value;
  };
}

let known: { readonly key: string; readonly palette: Palette } | undefined;

/** The palette of the page's theme, cached by the theme's own colours. */
export const theme = onceATheme((): Palette => {
  const style = getComputedStyle(document.body);
  const key = ['background', 'foreground', 'neutral', 'negative', 'positive', 'error', 'outline']
    .map((name) => style.getPropertyValue(`--heatmap-${name}`))
    .join('|');
  if (known?.key !== key) known = { key, palette: readPalette() };
  return known.palette;
});
