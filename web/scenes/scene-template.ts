/** The tile address of a scene in a picture. */
import type { Box } from './footprint.ts';
import { toBoundsPath } from './ground.ts';
import type { Contrast, Picture } from './picture.ts';
import { bandsOfPicture, toLevelsQuery, toPictureQuery } from './picture.ts';
import type { Scene } from './scene.ts';
import { fillBands, toPicturePath } from './tile-template.ts';

/** With its bands and options filled in; `{z}/{x}/{y}` stay for a map program. */
export const toTemplate = ({ tms, sensor }: Scene, picture: Picture): string =>
  fillBands(tms, bandsOfPicture(sensor, picture)) + toPictureQuery(sensor, picture);

/** The address, from the page on, of a small picture of a part of a scene, to count values in between `axes`. */
export const toLevelsPath = (
  { tms, sensor }: Scene,
  picture: Picture,
  { box, axes }: { readonly box: Box; readonly axes: readonly Contrast[] },
): string =>
  toPicturePath(fillBands(tms, bandsOfPicture(sensor, picture)), toBoundsPath(box)) +
  toLevelsQuery(sensor, picture, axes);
