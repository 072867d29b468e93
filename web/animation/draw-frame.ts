/** One frame of a film: the picture on a plain ground, and what is written into it. */
import type { PictureSize } from '../scenes/rectangle.ts';
import type { Caption } from './film-format.ts';

interface FrameParts extends PictureSize {
  readonly background: string;
  readonly caption: Caption | null;
}

/** Letters of a thirtieth of the width are read on a phone and cover little on a screen. */
const toFontPx = (widthPx: number): number => Math.max(11, Math.round(widthPx / 36));

/** White letters with a dark edge are read on every picture. */
const write = (
  context: OffscreenCanvasRenderingContext2D,
  text: string,
  { x, y, align, fontPx }: { x: number; y: number; align: CanvasTextAlign; fontPx: number },
): void => {
  context.font = `600 ${fontPx}px system-ui, sans-serif`;
  context.textAlign = align;
  context.textBaseline = 'alphabetic';
  context.lineJoin = 'round';
  context.lineWidth = fontPx / 4;
  context.strokeStyle = 'rgb(0 0 0 / 65%)';
  context.fillStyle = '#ffffff';
  context.strokeText(text, x, y);
  context.fillText(text, x, y);
};

/** Draws it over whatever is on the canvas. */
export const drawFrame = (
  context: OffscreenCanvasRenderingContext2D,
  picture: ImageBitmap,
  { widthPx, heightPx, background, caption }: FrameParts,
): void => {
  context.fillStyle = background;
  context.fillRect(0, 0, widthPx, heightPx);
  context.drawImage(picture, 0, 0, widthPx, heightPx);
  if (caption === null) return;
  const fontPx = toFontPx(widthPx);
  const [margin, y] = [fontPx * 0.75, heightPx - fontPx * 0.75];
  write(context, caption.date, { x: margin, y, align: 'left', fontPx });
  write(context, caption.attribution, { x: widthPx - margin, y, align: 'right', fontPx: fontPx * 0.7 });
};
