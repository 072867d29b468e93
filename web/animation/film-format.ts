/** The kinds of files that a film can be saved as, and what the page and its worker say to each other. */
import type { PictureSize } from '../scenes/rectangle.ts';

/** In the order they are offered. */
export const FILM_FORMATS = ['mp4', 'webm', 'webp', 'gif'] as const;

/** One of them. */
export type FilmFormat = (typeof FILM_FORMATS)[number];

/** The content type of each. */
export const MIME_TYPES: Readonly<Record<FilmFormat, string>> = {
  mp4: 'video/mp4',
  webm: 'video/webm',
  webp: 'image/webp',
  gif: 'image/gif',
};

/** What all frames of a film share. */
export interface FilmOptions extends PictureSize {
  readonly format: FilmFormat;
  readonly framesPerSecond: number;
  readonly isLooping: boolean;
  /** Behind transparent pixels. */
  readonly background: string;
}

/** What is written into a frame. */
export interface Caption {
  readonly date: string;
  readonly attribution: string;
}

/** What the page tells the worker. */
export type FilmRequest =
  | { readonly kind: 'ask'; readonly size: PictureSize }
  | { readonly kind: 'start'; readonly options: FilmOptions }
  | { readonly kind: 'frame'; readonly picture: ImageBitmap; readonly caption: Caption | null }
  | { readonly kind: 'finish' };

/** What the worker answers, one answer a request. */
export type FilmAnswer =
  | { readonly kind: 'formats'; readonly formats: readonly FilmFormat[] }
  | { readonly kind: 'ready' }
  | { readonly kind: 'film'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'failure'; readonly reason: string };

/** Takes frames, one after the other, and makes a file of them. */
export interface FilmEncoder {
  /** The canvas holds the frame. */
  add(canvas: OffscreenCanvas, context: OffscreenCanvasRenderingContext2D): Promise<void>;
  finish(): Promise<Uint8Array<ArrayBuffer>>;
}
