/** A page that takes pictures and becomes a file. */
import type { Sheet, Spot } from './sheet.ts';

/** The page. */
export interface PageSheet extends Sheet {
  /** A picture, of any size, into a rectangle. */
  image(picture: HTMLCanvasElement, spot: Spot, widthPx: number, heightPx: number): void;
  /** The file. */
  finish(title: string): Promise<Blob>;
}
