import assert from 'node:assert/strict';
import { PNG } from 'pngjs';
import { movingPicture } from './moving-picture';

/** A picture of one colour, with one pixel of another. */
function frame(width: number, height: number, at: number, shown: number): { png: Buffer; shown: number } {
  const image = new PNG({ width, height });
  for (let i = 0; i < width * height; i++) image.data.set(i === at ? [255, 0, 0, 255] : [0, 0, 255, 255], 4 * i);
  return { png: PNG.sync.write(image), shown };
}

describe('a moving picture', () => {
  it('is a GIF of the frames’ size that stores each frame’s time in hundredths of a second and plays twice', () => {
    const gif = Buffer.from(movingPicture([frame(3, 2, 0, 500), frame(3, 2, 4, 1200)]));
    assert.equal(gif.toString('latin1', 0, 6), 'GIF89a');
    assert.deepEqual([gif.readUInt16LE(6), gif.readUInt16LE(8)], [3, 2]);
    // GIF89a, 23: graphic control extension, 21 F9 04, flags, delay. Netscape's extension: repetitions after the first time.
    const delays = [...gif.toString('latin1').matchAll(/\x21\xf9\x04[^]/g)].map(({ index }) =>
      gif.readUInt16LE(index + 4),
    );
    assert.deepEqual(delays, [50, 120]);
    const loop = gif.indexOf('NETSCAPE2.0', 0, 'latin1');
    assert.equal(gif.readUInt16LE(loop + 13), 1);
  });

  it('refuses frames of different sizes, and an empty list of frames', () => {
    assert.throws(() => movingPicture([frame(3, 2, 0, 1), frame(2, 3, 0, 1)]), /different sizes/);
    assert.throws(() => movingPicture([]), /no frames/);
  });
});
