/** The part of gifenc that is used; the package has no types. */
declare module 'gifenc' {
  type Palette = number[][];

  interface GifFrame {
    readonly palette: Palette;
    /** Milliseconds, written in hundredths of a second. */
    readonly delay: number;
    /** Of the first frame: 0 repeats without end, -1 never. */
    readonly repeat?: number;
  }

  interface GifWriter {
    writeFrame(indices: Uint8Array, width: number, height: number, options: GifFrame): void;
    finish(): void;
    bytes(): Uint8Array<ArrayBuffer>;
  }

  export function GIFEncoder(): GifWriter;
  export function quantize(rgba: Uint8ClampedArray, maxColors: number): Palette;
  export function applyPalette(rgba: Uint8ClampedArray, palette: Palette): Uint8Array;
}
