import { unsupported } from '../../errors.ts';
import type { Sensor } from '../../sensors/index.ts';
import { findBand } from '../../sensors/index.ts';

/** What is read and set of a picture. */
export interface SharpenedPicture {
  readonly bands: string;
  readonly sensor: Sensor;
  readonly options: { readonly isSharpened?: boolean };
}

const PREFIX = /^\s*PS:/i;

/**
 * Reads the pattern `PS:B4:B3:B2:B8` instead of bands: one band or three, then the panchromatic
 * one. It asks for the same as those bands with PANSHARPENING. Pictures of anything else are left as they are.
 */
export function parseSharpenPattern<Picture extends SharpenedPicture>(picture: Picture): Picture {
  const { bands, sensor, options } = picture;
  if (!PREFIX.test(bands)) return picture;
  const names = bands.replace(PREFIX, '').split(':');
  const { pansharpening, title } = sensor;
  // The renderer refuses sensors without a panchromatic band, whichever way it is asked.
  const panBand = pansharpening?.panBand ?? 'B8';
  const shown = names.slice(0, -1);
  if (shown.length !== 1 && shown.length !== 3) {
    throw unsupported(
      'bad-sharpen-pattern',
      `PS: takes one band or three, then the panchromatic band, such as PS:B4:B3:B2:${panBand}.`,
    );
  }
  if (pansharpening !== null && toBand(sensor, names.at(-1) as string) !== panBand) {
    throw unsupported(
      'bad-sharpen-pattern',
      `The last band of PS: is the panchromatic one, which is ${panBand} for ${title}.`,
    );
  }
  return {
    ...picture,
    bands: shown.map((name) => toBand(sensor, name)).join(),
    options: { ...options, isSharpened: true },
  };
}

/** Bands only: what is computed is sharpened with PANSHARPENING. */
function toBand(sensor: Sensor, name: string): string {
  const band = findBand(sensor, name.trim());
  if (band !== null) return band.name;
  throw unsupported('bad-sharpen-pattern', `${sensor.title} has no band "${name.slice(0, 40)}".`);
}
