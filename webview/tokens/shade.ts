import { nextFrame, setAttribute } from '../draw';

/** Buttons that are tinted per frame: about 5 ms. */
const buttonsPerFrame = 200;

export interface Shading {
  /** Sets the strip's buttons, which are those of the tokens from `first` on. */
  watch(buttons: readonly HTMLElement[], first: number): void;
  /** Shades each token by its weight in the selected token's row. Undefined removes the shading. */
  shade(weights: Float64Array | undefined): void;
}

/**
 * Tints the strip's buttons by weight. Visible ones are tinted at once, the others in later frames or when they become visible: most of a long text
 * is not visible, and each tint makes the browser recompute a style.
 */
export function createShading(strip: HTMLElement): Shading {
  /** Each button with its token's index. */
  let buttons: ReadonlyMap<Element, number> = new Map();
  let share: ShareOf = () => 0;
  let latestRequest = 0;
  const seen = new Set<Element>();
  const tint = (button: Element): void => tintBy(share(buttons.get(button) ?? -1), button as HTMLElement);
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting) seen.delete(target);
        else {
          seen.add(target);
          tint(target);
        }
      }
    },
    { root: strip, rootMargin: '0px 50%' },
  );
  return {
    watch(next, first) {
      observer.disconnect();
      seen.clear();
      buttons = new Map(next.map((button, i) => [button, first + i]));
      share = () => 0;
      next.forEach((button) => observer.observe(button));
    },
    shade(weights) {
      share = shareOf(weights);
      seen.forEach(tint);
      void tintOthers(++latestRequest);
    },
  };

  async function tintOthers(request: number): Promise<void> {
    const others = [...buttons.keys()].filter((button) => !seen.has(button));
    for (let from = 0; from < others.length; from += buttonsPerFrame) {
      // If the buttons are new, the observer has not reported yet which are visible. The first chunk most likely is, so it does not wait for a
      // frame.
      if (from > 0 || seen.size > 0) await nextFrame();
      if (request !== latestRequest) return;
      others.slice(from, from + buttonsPerFrame).forEach(tint);
    }
  }
}

/** A token's weight relative to the largest, 0 to 1. */
type ShareOf = (token: number) => number;

function shareOf(weights: Float64Array | undefined): ShareOf {
  const most = weights?.reduce((a, b) => (b > a ? b : a), 0) ?? 0;
  // NaN counts as 0.
  return (token) => (weights && most > 0 ? (weights[token] || 0) / most : 0);
}

function tintBy(share: number, button: HTMLElement): void {
  setAttribute(button, 'data-shaded', share > 0);
  button.style.setProperty('--share', share.toFixed(3));
}
