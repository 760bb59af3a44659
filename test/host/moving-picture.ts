// Makes one animated GIF of consecutive screenshots. GitHub, VS Code's page of an extension, and browsers show it.
import { applyPalette, GIFEncoder, quantize } from 'gifenc';
import { PNG } from 'pngjs';

export interface Frame {
  readonly png: Buffer;
  /** How long the frame is shown, in milliseconds. */
  readonly shown: number;
}

/** Most colours, beside one index that stands for unchanged pixels. */
const colours = 32;

/**
 * Makes the GIF. All frames must have the size of the first (else Error). They share one palette, and each contains only the pixels that change; the
 * others are transparent. It is played twice and stops at the last frame, because endless motion beside a text distracts from reading (WCAG 2.2,
 * 2.2.2).
 */
export function movingPicture(frames: readonly Frame[]): Uint8Array {
  const images = frames.map(({ png }) => PNG.sync.read(png));
  const [first] = images;
  if (!first) throw new Error('a moving picture of no frames');
  const { width, height } = first;
  if (images.some((image) => image.width !== width || image.height !== height))
    throw new Error('the frames of a moving picture have different sizes');
  const palette = quantize(joined(images.map(({ data }) => data)), colours);
  const transparentIndex = palette.length;
  const encoder = GIFEncoder();
  let before: Uint8Array | undefined;
  images.forEach(({ data }, i) => {
    const indices = applyPalette(data, palette);
    encoder.writeFrame(changed(indices, before, transparentIndex), width, height, {
      ...(i === 0 && { repeat: 1 }),
      palette: [...palette, [0, 0, 0]],
      delay: frames[i]?.shown ?? 0,
      transparent: i > 0,
      transparentIndex,
      dispose: 1,
    });
    before = indices;
  });
  encoder.finish();
  return encoder.bytes();
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

const changed = (indices: Uint8Array, before: Uint8Array | undefined, same: number): Uint8Array =>
  before ? indices.map((index, i) => (index === before[i] ? same : index)) : indices;
