/** The parts of gifenc's interface that are used; the package has no types. A palette has at most 256 colours [r, g, b], each from 0 to 255. */
declare module 'gifenc' {
  type Colours = number[][];
  interface FrameOptions {
    readonly palette?: Colours;
    /** In milliseconds, rounded to the GIF's hundredths of a second. */
    readonly delay?: number;
    /** Number of repetitions: 0 for endless, −1 for none. Only read from the first frame. */
    readonly repeat?: number;
    readonly transparent?: boolean;
    readonly transparentIndex?: number;
    /** 1 keeps what was drawn before. */
    readonly dispose?: number;
  }
  export function GIFEncoder(): {
    writeFrame(indices: Uint8Array, width: number, height: number, options: FrameOptions): void;
    finish(): void;
    bytes(): Uint8Array;
  };
  export function quantize(rgba: Uint8Array, colours: number): Colours;
  export function applyPalette(rgba: Uint8Array, palette: Colours): Uint8Array;
}
