/** The two fonts of pictures and reports: loaded with the first one, the same in PNG and PDF, so that both look alike. */
import type { TrueTypeFont } from './pdf/true-type.ts';
import { readTrueType } from './pdf/true-type.ts';

/** A font for canvases and for PDF files. */
export interface ReportFonts {
  readonly regular: TrueTypeFont;
  readonly bold: TrueTypeFont;
}

/** How canvases call it; letters that it lacks are those of the browser. */
export const FONT_FAMILY = '"Swath report", system-ui, sans-serif';

const readFont = async (url: string, weight: '400' | '700'): Promise<TrueTypeFont> => {
  const response = await fetch(new URL(url, location.href));
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  // From bytes, and not from an address: the content policy of the page allows no fonts.
  document.fonts.add(await new FontFace('Swath report', bytes, { weight }).load());
  return readTrueType(bytes);
};

let fonts: Promise<ReportFonts> | null = null;

/** The fonts; what failed is tried again the next time. */
export const loadFonts = (): Promise<ReportFonts> => {
  fonts ??= Promise.all([readFont(REPORT_FONT_URL, '400'), readFont(REPORT_BOLD_FONT_URL, '700')])
    .then(([regular, bold]) => ({ regular, bold }))
    .catch((error: unknown) => {
      fonts = null;
      throw error;
    });
  return fonts;
};
