import type { Rgb } from '../draw';

/** A picture as plain shapes, in pixels: drawn as SVG text or on a canvas, the same either way. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly background: Rgb;
  /** What it shows, for those who do not see it. */
  readonly title: string;
  readonly shapes: readonly Shape[];
}

export type Shape = Box | Line | Label;

export interface Box {
  readonly kind: 'box';
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly fill: Rgb;
}

export interface Line {
  readonly kind: 'line';
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
  readonly colour: Rgb;
}

export interface Label {
  readonly kind: 'label';
  readonly x: number;
  /** Baseline. */
  readonly y: number;
  readonly text: string;
  readonly size: number;
  readonly colour: Rgb;
  readonly anchor: 'start' | 'middle' | 'end';
  readonly mono?: boolean;
  readonly bold?: boolean;
  /** Reads upwards from its place. */
  readonly upright?: boolean;
}

export const fonts = {
  mono: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace',
  text: 'system-ui, -apple-system, "Segoe UI", Ubuntu, "DejaVu Sans", sans-serif',
} as const;
