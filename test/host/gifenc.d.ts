/** What is used here of gifenc, which comes without types. A palette holds at most 256 colours [r, g, b], 0…255. */
declare module 'gifenc' {
  type Colours = number[][];
  interface FrameOptions {
    readonly palette?: Colours;
    /** Milliseconds; a GIF holds hundredths of a second. */
    readonly delay?: number;
    /** How often the whole is shown after the first time: 0 is for ever, -1 never. Only of the first frame. */
    readonly repeat?: number;
    readonly transparent?: boolean;
    readonly transparentIndex?: number;
    /** 1 leaves what was drawn before. */
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
