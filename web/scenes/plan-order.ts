/** The order of a file, from what the user chose and what the map shows. */
import { bandsOf, isComposite } from './bands.ts';
import type { Box, Outline } from './footprint.ts';
import type { Contrast, Picture } from './picture.ts';
import { bandsOfPicture, isColorable, isNaturalPicture } from './picture.ts';
import type { Scene } from './scene.ts';

/** The choices that an order is made of. */
interface OrderChoice {
  readonly kind: 'bands' | 'index' | 'picture';
  readonly bands: readonly string[] | null;
  readonly expressions: readonly string[] | null;
  readonly where: 'scene' | 'view' | 'area';
  readonly file: string;
  readonly pixelM: number | null;
  readonly isMerged: boolean;
  readonly name: string;
}

/** What the map shows. */
interface OrderContext {
  readonly scene: Scene;
  readonly picture: Picture;
  readonly bounds: Box | null;
  readonly outline: Outline | null;
  /** What the server stretches the picture between by itself; only needed with a colormap and no chosen contrast. */
  readonly ownContrast: Contrast | null;
}

interface PlannedOrder {
  readonly type: 'lbe' | 'bandmath' | 'jpeg';
  readonly params: Readonly<Record<string, unknown>>;
}

/** The bands that are ordered: those chosen, or those of the picture. */
export const bandsOfOrder = (
  { sensor }: Scene,
  picture: Picture,
  chosen: readonly string[] | null,
): readonly string[] => {
  const wanted = chosen ?? bandsOf(sensor, bandsOfPicture(sensor, picture));
  // In the order of the sensor, whatever was clicked first.
  return sensor.bands.map(({ name }) => name).filter((name) => wanted.includes(name));
};

/** The expressions that are ordered: those chosen, or what is on the map if it is one value a pixel, or the first index. */
export const expressionsOfOrder = (
  { sensor }: Scene,
  picture: Picture,
  chosen: readonly string[] | null,
): readonly string[] => {
  if (chosen !== null) return chosen;
  const shown = bandsOfPicture(sensor, picture);
  if (!isComposite(sensor, shown)) return [shown];
  const first = sensor.indices.find(({ kind }) => kind === 'index') ?? null;
  return first === null ? [] : [first.name];
};

/** True if the colours of a picture run over a contrast that only the server knows. */
export const needsOwnContrast = ({ sensor }: Scene, picture: Picture): boolean =>
  picture.colormap !== null &&
  picture.contrast === null &&
  !isNaturalPicture(sensor, picture) &&
  isColorable(sensor, bandsOfPicture(sensor, picture));

/** Five digits of a degree are about a metre. */
const round = (degrees: number): number => Number(degrees.toFixed(5));
const wrap = (lon: number): number => ((((lon + 180) % 360) + 360) % 360) - 180;

/** The box of a map, which may have been dragged around the world; `null` if it holds all of it. */
const toBbox = ([west, south, east, north]: Box): readonly number[] | null => {
  if (east - west >= 360) return null;
  const [bottom, top] = [Math.max(south, -90), Math.min(north, 90)];
  return [wrap(west), bottom, wrap(east), top].map(round);
};

const toArea = ({ where }: OrderChoice, { bounds, outline }: OrderContext): object => {
  if (where === 'area' && outline !== null) return { geometry: outline };
  const bbox = where === 'view' && bounds !== null ? toBbox(bounds) : null;
  return bbox === null ? {} : { bbox };
};

const toFile = (file: string): object => {
  if (file === 'kmz' || file === 'tiff') return { georeference: file };
  if (file.startsWith('world-')) return { format: file.slice('world-'.length), georeference: 'world' };
  return { format: file };
};

/** How the picture is drawn on the map, in the words of orders. */
const toDrawing = ({ scene: { sensor }, picture, ownContrast }: OrderContext): object => {
  const shown = bandsOfPicture(sensor, picture);
  const isColored = picture.colormap !== null && isColorable(sensor, shown);
  const isNatural = isNaturalPicture(sensor, picture);
  const contrast = picture.contrast ?? (isColored && !isNatural ? ownContrast : null);
  return {
    bm_type: shown,
    // What tiles are drawn with when nothing was chosen; files would be drawn with another.
    resample: picture.resampling ?? 'bilinear',
    ...(isColored ? { colormap: picture.colormap } : {}),
    ...(isNatural ? { stretch: 'natural' } : {}),
    ...(contrast === null ? {} : { levels: `${contrast.min},${contrast.max}` }),
    ...(picture.contrast?.gamma === undefined ? {} : { gamma: picture.contrast.gamma }),
    ...(picture.isCalibrated ? { calibrate: 1 } : {}),
    ...(picture.isPansharpened && sensor.hasPansharpening ? { pansharpening: 1 } : {}),
  };
};

/** The order, without a reference. */
export const planOrder = (choice: OrderChoice, context: OrderContext): PlannedOrder => {
  const { scene, picture } = context;
  const common = { view_id: scene.viewId, ...toArea(choice, context) };
  const name = choice.name.trim() === '' ? {} : { name_alias: choice.name.trim() };
  switch (choice.kind) {
    case 'bands': {
      const bands = bandsOfOrder(scene, picture, choice.bands);
      return { type: 'lbe', params: { ...common, bands, ...(choice.isMerged ? {} : { merge: false }) } };
    }
    case 'index': {
      const bm_type = expressionsOfOrder(scene, picture, choice.expressions).join();
      return { type: 'bandmath', params: { ...common, bm_type, ...name } };
    }
    case 'picture': {
      const size = choice.pixelM === null ? {} : { px_size: choice.pixelM };
      return {
        type: 'jpeg',
        params: { ...common, ...toDrawing(context), ...toFile(choice.file), ...size, ...name },
      };
    }
  }
};

/** The option of the panel that a refusal is about. */
export type OrderField = 'what' | 'area' | 'pixel' | 'name' | 'all';

const FIELDS: readonly (readonly [RegExp, OrderField])[] = [
  // Quotas: no option helps.
  [/^(too-many-tasks|task-|rate-|write-)/, 'all'],
  [
    /^(area-|bad-bbox|bad-geometry|several-areas|file-too-large|export-too-large|unknown-area|bad-area)/,
    'area',
  ],
  [/^(picture-too-large|bad-px-size)/, 'pixel'],
  [/^bad-name-alias/, 'name'],
  [/^(bad-|band-|no-such-band|unknown-|needs-window|too-many)/, 'what'],
];

/** Which option to change, by the code of the refusal. */
export const fieldOfRefusal = (code: string): OrderField =>
  FIELDS.find(([codes]) => codes.test(code))?.[1] ?? 'all';

/** Names of params in the server's sentences, and what they are called on the page. */
const PLAIN_WORDS: Readonly<Record<string, string>> = {
  px_size: 'pixel size',
  bm_type: 'expression',
  bbox: 'map view',
  name_alias: 'name in file',
};

/** A refusal without the names of params. */
export const toPlainWords = (sentence: string): string =>
  sentence.replaceAll(/\b(?:px_size|bm_type|bbox|name_alias)\b/g, (name) => PLAIN_WORDS[name] ?? name);
