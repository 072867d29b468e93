/** Films as GIF: 256 colours a frame, read by everything. */
import { applyPalette, GIFEncoder, quantize } from 'gifenc';
import type { FilmEncoder, FilmOptions } from './film-format.ts';

/** Builds the encoder. */
export const makeGif = ({ widthPx, heightPx, framesPerSecond, isLooping }: FilmOptions): FilmEncoder => {
  const gif = GIFEncoder();
  return {
    async add(_, context) {
      const { data } = context.getImageData(0, 0, widthPx, heightPx);
      const palette = quantize(data, 256);
      const delay = 1000 / framesPerSecond;
      gif.writeFrame(applyPalette(data, palette), widthPx, heightPx, {
        palette,
        delay,
        repeat: isLooping ? 0 : -1,
      });
    },
    async finish() {
      gif.finish();
      return gif.bytes();
    },
  };
};
