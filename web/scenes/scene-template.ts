/** The tile address of a scene in a picture. */
import type { Picture } from './picture.ts';
import { bandsOfPicture, toPictureQuery } from './picture.ts';
import type { Scene } from './scene.ts';
import { fillBands } from './tile-template.ts';

/** With its bands and options filled in; `{z}/{x}/{y}` stay for a map program. */
export const toTemplate = ({ tms, sensor }: Scene, picture: Picture): string =>
  fillBands(tms, bandsOfPicture(sensor, picture)) + toPictureQuery(sensor, picture);
