/** A page to draw on, in pixels from its upper left corner: what is drawn once becomes a PNG or a PDF (`page-sheet.ts`). */

/** A place on the page. */
export type Spot = readonly [x: number, y: number];

/** How a text looks. */
export interface TextStyle {
  readonly sizePx: number;
  readonly isBold?: boolean;
  /** `#rrggbb`. */
  readonly color?: string;
  /** Which end of the text the place is. */
  readonly align?: 'left' | 'center' | 'right';
}

/** How a line or a surface looks; without a colour it is not drawn. */
export interface PathStyle {
  readonly fill?: string;
  readonly stroke?: string;
  readonly widthPx?: number;
}

/** The page. */
export interface Sheet {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Writes a line of text; the place is on its base line. */
  text(text: string, spot: Spot, style: TextStyle): void;
  /** The width of a text. */
  measure(text: string, style: Pick<TextStyle, 'sizePx' | 'isBold'>): number;
  /** A line through places; a surface when it is filled. */
  path(spots: readonly Spot[], style: PathStyle): void;
}

/** The text colour of pages, and the lighter one of what matters less. */
export const [INK, FAINT, RULE] = ['#17232b', '#55656f', '#c9d2d7'];

/** The corners of a rectangle, for `path`. */
export const rectangle = ([x, y]: Spot, widthPx: number, heightPx: number): readonly Spot[] => [
  [x, y],
  [x + widthPx, y],
  [x + widthPx, y + heightPx],
  [x, y + heightPx],
  [x, y],
];

/** A text in lines of at most so many pixels; a word that is longer has a line of its own. */
export const wrapText = (
  { measure }: Pick<Sheet, 'measure'>,
  text: string,
  style: TextStyle,
  widthPx: number,
): readonly string[] => {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    const longer = `${line} ${word}`;
    if (line !== undefined && measure(longer, style) <= widthPx) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
};

/** A text that ends with an ellipsis where it would be wider than its room. */
export const shortenText = (
  { measure }: Pick<Sheet, 'measure'>,
  text: string,
  style: TextStyle,
  widthPx: number,
): string => {
  if (measure(text, style) <= widthPx) return text;
  const characters = [...text];
  while (characters.length > 1 && measure(`${characters.join('')}…`, style) > widthPx) characters.pop();
  return `${characters.join('').trimEnd()}…`;
};
