/** The place in a story: a whole number at a frame, else between two. */
export interface Clock {
  readonly time: () => number;
  readonly playing: () => boolean;
  /** Whether the reader wants no motion: then time goes from frame to frame, and only when asked. */
  readonly still: () => boolean;
  /** `2×` */
  readonly pace: () => string;
  tell(frames: number, again: boolean): void;
  play(): void;
  /** Goes on to the nearest frame and rests there. */
  pause(): void;
  toggle(): void;
  /** Goes to the next frame or the one before. */
  step(by: -1 | 1): void;
  go(frame: number): void;
  /** Goes to any time at once. */
  scrub(time: number): void;
  faster(): void;
}

/** Seconds for a frame at each speed; and of a frame the share in which nothing moves, so that it can be read. */
const paces = [
  ['½×', 3.2],
  ['1×', 1.6],
  ['2×', 0.8],
  ['4×', 0.4],
] as const;
const rest = 0.5;
/** Seconds of a step by hand. */
const stepTime = 0.35;

const reduced = (): boolean => window.matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Tells `draw` each moment that is to be drawn. */
export function createClock(draw: (time: number) => void): Clock {
  let [frames, time, at] = [0, 0, 1];
  /** Where a step by hand goes. */
  let target: number | undefined;
  let playing = false;
  /** Seconds for which the frame has been shown. */
  let waited = 0;
  let [handle, before] = [0, 0];
  const last = (): number => Math.max(0, frames - 1);
  const seconds = (): number => (paces[at] ?? paces[1])[1];
  const tick = (now: number): void => {
    handle = 0;
    const passed = before ? Math.min(0.1, (now - before) / 1000) : 0;
    before = now;
    if (target !== undefined) towards(target, passed);
    else if (playing) forward(passed);
    draw(time);
    if (target !== undefined || playing) run();
  };
  const run = (): void => {
    handle ||= requestAnimationFrame(tick);
  };
  const towards = (end: number, passed: number): void => {
    const by = passed / stepTime;
    time = end > time ? Math.min(end, time + by) : Math.max(end, time - by);
    if (time === end) target = undefined;
  };
  const forward = (passed: number): void => {
    if (Number.isInteger(time) && waited < seconds() * rest) {
      waited += passed;
      return;
    }
    waited = 0;
    time = Math.min(Math.floor(time) + 1, time + passed / (seconds() * (1 - rest)));
    if (time >= last()) playing = false;
  };
  /** Comes to rest at the nearest frame. */
  const pause = (): void => go(Math.round(time));
  const play = (): void => {
    if (reduced()) return;
    if (time >= last()) time = 0;
    [playing, target, waited, before] = [true, undefined, 0, 0];
    run();
  };
  const go = (frame: number): void => {
    playing = false;
    const end = Math.max(0, Math.min(last(), frame));
    if (reduced() || Math.abs(end - time) > 1) [time, target] = [end, undefined];
    else [target, before] = [end, 0];
    draw(time);
    if (target !== undefined) run();
  };
  return {
    time: () => time,
    playing: () => playing,
    still: reduced,
    pace: () => (paces[at] ?? paces[1])[0],
    tell(count, again) {
      frames = count;
      time = again ? 0 : Math.min(time, last());
      [target, waited] = [undefined, 0];
      draw(time);
    },
    play,
    pause,
    toggle: () => (playing ? pause() : play()),
    step(by) {
      const from = target ?? time;
      go(by > 0 ? Math.floor(from) + 1 : Math.ceil(from) - 1);
    },
    go,
    scrub(to) {
      [playing, target] = [false, undefined];
      time = Math.max(0, Math.min(last(), reduced() ? Math.round(to) : to));
      draw(time);
    },
    faster() {
      at = (at + 1) % paces.length;
      draw(time);
    },
  };
}
