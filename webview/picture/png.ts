import { css } from '../draw';
import { fonts, type Picture, type Shape } from './shapes';

/** Draws a picture as a PNG file. `scale` is the number of PNG pixels per unit. Throws if the canvas is too large for the browser. */
export async function pngOf(picture: Picture, scale = 2): Promise<Uint8Array> {
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  const ctx = canvas.getContext('2d');
  if (!ctx) throw new Error('this page has no 2D canvas');
  ctx.scale(scale, scale);
  ctx.fillStyle = css(picture.background);
  ctx.fillRect(0, 0, picture.width, picture.height);
  for (const shape of picture.shapes) draw(ctx, shape);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
  if (!blob) throw new Error(`a picture of ${canvas.width}×${canvas.height} pixels is too large for this browser`);
  return new Uint8Array(await blob.arrayBuffer());
}

function draw(ctx: CanvasRenderingContext2D, shape: Shape): void {
  if (shape.kind === 'box') {
    ctx.fillStyle = css(shape.fill);
    ctx.fillRect(shape.x, shape.y, shape.width, shape.height);
  } else if (shape.kind === 'line') {
    ctx.strokeStyle = css(shape.colour);
    ctx.beginPath();
    ctx.moveTo(...shape.from);
    ctx.lineTo(...shape.to);
    ctx.stroke();
  } else {
    ctx.save();
    ctx.translate(shape.x, shape.y);
    if (shape.upright) ctx.rotate(-Math.PI / 2);
    ctx.font = `${shape.bold ? '600 ' : ''}${shape.size}px ${shape.mono ? fonts.mono : fonts.text}`;
    ctx.fillStyle = css(shape.colour);
    ctx.textAlign = ({ start: 'left', middle: 'center', end: 'right' } as const)[shape.anchor];
    ctx.fillText(shape.text, 0, 0);
    ctx.restore();
  }
}
