import { nextFrame, setAttribute } from '../draw';

/** Buttons that get their style between two frames: about 5 ms. */
const slice = 200;

export interface Shading {
  /** The strip has other buttons: of the tokens from `first` on. */
  watch(buttons: readonly HTMLElement[], first: number): void;
  /** Shades each token by its weight for the selected one; undefined takes the shading away. */
  shade(weights: Float64Array | undefined): void;
}

/**
 * Tints the strip's buttons: those in sight at once, the others after the frame that shows them, or when they come into sight. Most of a
 * long text is out of sight, and a tint of its own makes a style of its own.
 */
export function createShading(strip: HTMLElement): Shading {
  /** Each button with its place in the text. */
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
    for (let from = 0; from < others.length; from += slice) {
      // Nobody has looked yet where the tokens are new: then the first ones are most likely in sight.
      if (from > 0 || seen.size > 0) await nextFrame();
      if (request !== latestRequest) return;
      others.slice(from, from + slice).forEach(tint);
    }
  }
}

/** A token's weight as a part of the largest. */
type ShareOf = (token: number) => number;

function shareOf(weights: Float64Array | undefined): ShareOf {
  const most = weights?.reduce((a, b) => (b > a ? b : a), 0) ?? 0;
  // A weight that is NaN shades nothing.
  return (token) => (weights && most > 0 ? (weights[token] || 0) / most : 0);
}

function tintBy(share: number, button: HTMLElement): void {
  setAttribute(button, 'data-shaded', share > 0);
  button.style.setProperty('--share', share.toFixed(3));
}
