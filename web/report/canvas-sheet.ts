/** Pages as PNG: a canvas of one to four pixels for each of the page. */
import type { PageSheet } from './page-sheet.ts';
import { FONT_FAMILY } from './report-fonts.ts';
import type { Sheet, TextStyle } from './sheet.ts';
import { INK } from './sheet.ts';

type Context = CanvasRenderingContext2D;

/** A canvas with its context. */
export const makeCanvas = (
  widthPx: number,
  heightPx: number,
): { readonly canvas: HTMLCanvasElement; readonly context: Context } => {
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil(widthPx);
  canvas.height = Math.ceil(heightPx);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('The browser has no memory for a picture of this size.');
  return { canvas, context };
};

/** Sets how texts look; letters have the widths of the font, as in a PDF. */
export const setFont = (
  context: Context,
  { sizePx, isBold = false }: Pick<TextStyle, 'sizePx' | 'isBold'>,
): void => {
  context.font = `${isBold ? 700 : 400} ${sizePx}px ${FONT_FAMILY}`;
  context.fontKerning = 'none';
};

/** How wide texts are, on pages of any kind. */
export const makeMeasure = (): Sheet['measure'] => {
  const { context } = makeCanvas(1, 1);
  return (text, style) => {
    setFont(context, style);
    return context.measureText(text).width;
  };
};

/** A canvas as a file. */
export const toBlob = async (canvas: HTMLCanvasElement, type: string, quality?: number): Promise<Blob> => {
  const { promise, resolve } = Promise.withResolvers<Blob | null>();
  canvas.toBlob(resolve, type, quality);
  const blob = await promise;
  if (blob === null) throw new Error('The browser has no memory for a picture of this size.');
  return blob;
};

/** An empty white page; the fonts must be loaded. */
export const makeCanvasSheet = (widthPx: number, heightPx: number, scale: number): PageSheet => {
  const { canvas, context } = makeCanvas(widthPx * scale, heightPx * scale);
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.scale(scale, scale);
  context.lineJoin = 'round';
  context.imageSmoothingQuality = 'high';
  return {
    widthPx,
    heightPx,
    measure: makeMeasure(),
    text(text, [x, y], style) {
      setFont(context, style);
      context.fillStyle = style.color ?? INK;
      context.textAlign = style.align ?? 'left';
      context.fillText(text, x, y);
    },
    path(spots, { fill, stroke, widthPx: lineWidth = 1 }) {
      context.beginPath();
      for (const [i, [x, y]] of spots.entries()) i === 0 ? context.moveTo(x, y) : context.lineTo(x, y);
      if (fill !== undefined) {
        context.fillStyle = fill;
        context.fill();
      }
      if (stroke === undefined) return;
      context.strokeStyle = stroke;
      context.lineWidth = lineWidth;
      context.stroke();
    },
    image(picture, [x, y], width, height) {
      context.drawImage(picture, x, y, width, height);
    },
    finish: () => toBlob(canvas, 'image/png'),
  };
};
