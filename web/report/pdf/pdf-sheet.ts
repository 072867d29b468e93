/** Pages as PDF: texts and lines stay texts and lines, pictures are embedded with every pixel they have. */
import { makeCanvas, makeMeasure, setFont, toBlob } from '../canvas-sheet.ts';
import type { PageSheet } from '../page-sheet.ts';
import type { ReportFonts } from '../report-fonts.ts';
import type { Spot, TextStyle } from '../sheet.ts';
import { INK } from '../sheet.ts';
import { makePdfFile, toPdfNumber, toPdfText } from './pdf-file.ts';
import { makePdfFont } from './pdf-font.ts';

/** A pixel of the page is 1/96 inch, a point of a PDF 1/72. */
const POINT = 0.75;
/** Colours of index maps are told apart at this quality. */
const JPEG_QUALITY = 0.95;
/** Texts in letters that the font lacks are drawn with so many pixels each. */
const DRAWN_SCALE = 4;

/** `1 0 0` of `#ff0000`. */
const toColor = (color: string): string =>
  [1, 3, 5].map((at) => toPdfNumber(Number.parseInt(color.slice(at, at + 2), 16) / 255)).join(' ');

/** Numbers formatted for people may have narrow spaces, which few fonts have. */
const toPlainSpaces = (text: string): string => text.replaceAll(/[\u2009\u202f]/g, '\u00a0');

/** An empty page. */
export const makePdfSheet = (
  widthPx: number,
  heightPx: number,
  { regular, bold }: ReportFonts,
): PageSheet => {
  const file = makePdfFile();
  const fonts = [makePdfFont(regular, 'OpenSans-Regular'), makePdfFont(bold, 'OpenSans-Bold')] as const;
  const measure = makeMeasure();
  // From here on places count in pixels from the upper left corner.
  const content: string[] = [`${POINT} 0 0 ${-POINT} 0 ${toPdfNumber(heightPx * POINT)} cm 1 j 1 J`];
  const images: HTMLCanvasElement[] = [];
  const at = ([x, y]: Spot): string => `${toPdfNumber(x)} ${toPdfNumber(y)}`;

  const image: PageSheet['image'] = (picture, [x, y], width, height) => {
    images.push(picture);
    content.push(
      `q ${toPdfNumber(width)} 0 0 ${toPdfNumber(-height)} ${at([x, y + height])} cm /I${images.length} Do Q`,
    );
  };
  /** A name may have letters of any script: those that the font lacks come from the browser, as a picture. */
  const drawText = (text: string, [x, y]: Spot, style: TextStyle): void => {
    const [width, height] = [measure(text, style) + 2, style.sizePx * 1.6];
    const { canvas, context } = makeCanvas(width * DRAWN_SCALE, height * DRAWN_SCALE);
    context.scale(DRAWN_SCALE, DRAWN_SCALE);
    context.fillStyle = '#ffffff';
    context.fillRect(0, 0, width, height);
    setFont(context, style);
    context.fillStyle = style.color ?? INK;
    context.fillText(text, 0, style.sizePx * 1.15);
    image(canvas, [x, y - style.sizePx * 1.15], width, height);
  };

  return {
    widthPx,
    heightPx,
    measure,
    text(written, [x, y], style) {
      const text = toPlainSpaces(written);
      const share = { left: 0, center: 0.5, right: 1 }[style.align ?? 'left'];
      const spot: Spot = [x - share * measure(text, style), y];
      const font = fonts[style.isBold === true ? 1 : 0];
      if (!font.has(text)) return drawText(text, spot, style);
      content.push(
        `BT ${toColor(style.color ?? INK)} rg /F${style.isBold === true ? 1 : 0} ${toPdfNumber(style.sizePx)} Tf 1 0 0 -1 ${at(spot)} Tm <${font.encode(text)}> Tj ET`,
      );
    },
    path(spots, { fill, stroke, widthPx: lineWidth = 1 }) {
      if (spots.length < 2 || (fill === undefined && stroke === undefined)) return;
      const lines = spots.map((spot, i) => `${at(spot)} ${i === 0 ? 'm' : 'l'}`).join(' ');
      const colors = [
        ...(fill === undefined ? [] : [`${toColor(fill)} rg`]),
        ...(stroke === undefined ? [] : [`${toColor(stroke)} RG ${toPdfNumber(lineWidth)} w`]),
      ];
      const paint = fill === undefined ? 'S' : stroke === undefined ? 'f' : 'B';
      content.push(`${colors.join(' ')} ${lines} ${paint}`);
    },
    image,
    async finish(title) {
      const pictures = await Promise.all(
        images.map(async (canvas) => ({
          canvas,
          bytes: new Uint8Array(await (await toBlob(canvas, 'image/jpeg', JPEG_QUALITY)).arrayBuffer()),
        })),
      );
      const pictureNumbers: number[] = [];
      for (const { canvas, bytes } of pictures) {
        pictureNumbers.push(
          await file.addStream(bytes, {
            isPlain: false,
            entries: `/Type /XObject /Subtype /Image /Width ${canvas.width} /Height ${canvas.height} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode`,
          }),
        );
      }
      const fontNumbers = [await fonts[0].addTo(file), await fonts[1].addTo(file)];
      const contents = await file.addStream(content.join('\n'));
      const name = (letter: string, numbers: readonly number[], first: number): string =>
        numbers.map((number, i) => `/${letter}${i + first} ${number} 0 R`).join(' ');
      const pages = file.reserve();
      const page = file.add(
        `<< /Type /Page /Parent ${pages} 0 R /MediaBox [0 0 ${toPdfNumber(widthPx * POINT)} ${toPdfNumber(heightPx * POINT)}] /Contents ${contents} 0 R /Resources << /Font << ${name('F', fontNumbers, 0)} >> /XObject << ${name('I', pictureNumbers, 1)} >> >> >>`,
      );
      file.add(`<< /Type /Pages /Kids [${page} 0 R] /Count 1 >>`, pages);
      const language = toPdfText(document.documentElement.lang);
      const catalog = file.add(
        `<< /Type /Catalog /Pages ${pages} 0 R /Lang ${language} /ViewerPreferences << /DisplayDocTitle true >> >>`,
      );
      const info = file.add(`<< /Title ${toPdfText(title)} /Producer ${toPdfText('Swath')} >>`);
      return file.finish(catalog, info);
    },
  };
};
