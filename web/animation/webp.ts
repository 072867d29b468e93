/** Films as WebP: as small as videos, shown wherever pictures are. */
import type { FilmEncoder, FilmOptions } from './film-format.ts';
import { joinWebp } from './webp-container.ts';

const TYPE = 'image/webp';
/** Indices have sharp edges between colours; below this they smear. */
const QUALITY = 0.85;

/** Whether this browser can compress WebP; one that cannot answers another type. */
export const canEncodeWebp = async (): Promise<boolean> => {
  const canvas = new OffscreenCanvas(1, 1);
  canvas.getContext('2d');
  return (await canvas.convertToBlob({ type: TYPE })).type === TYPE;
};

/** Builds the encoder. */
export const makeWebp = ({ widthPx, heightPx, framesPerSecond, isLooping }: FilmOptions): FilmEncoder => {
  const stills: Uint8Array[] = [];
  return {
    async add(canvas) {
      const still = await canvas.convertToBlob({ type: TYPE, quality: QUALITY });
      stills.push(new Uint8Array(await still.arrayBuffer()));
    },
    finish: async () => joinWebp(stills, { widthPx, heightPx, frameMs: 1000 / framesPerSecond, isLooping }),
  };
};
