import type { Rgb } from '../draw';

/** A picture as plain shapes, with coordinates in pixels. SVG and canvas draw the same shapes. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly background: Rgb;
  /** Alternative text. */
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
  /** The baseline. */
  readonly y: number;
  readonly text: string;
  readonly size: number;
  readonly colour: Rgb;
  readonly anchor: 'start' | 'middle' | 'end';
  readonly mono?: boolean;
  readonly bold?: boolean;
  /** Rotated by 90° to read upwards. */
  readonly upright?: boolean;
}

export const fonts = {
  mono: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace',
  text: 'system-ui, -apple-system, "Segoe UI", Ubuntu, "DejaVu Sans", sans-serif',
} as const;
