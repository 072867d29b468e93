/**
 * The ground of the made-up Earth: squares of four kinds in turn, counted from the upper left corner of each image, and a
 * square of clouds in that corner. All numbers of a pixel follow from its kind, its band and the day.
 */

/** Kinds of ground, in the order of their squares: two in a row, two rows. */
export const GROUNDS = ['crop', 'forest', 'soil', 'water'] as const;

/** What a pixel shows. */
export type Ground = (typeof GROUNDS)[number];

/** The side of a square of one kind in images of 10 to 60 m. */
export const SQUARE_M = 1_280;

/** Which kind lies at a distance from the upper left corner of an image. */
export function groundAt(eastM: number, southM: number, squareM: number = SQUARE_M): Ground {
  const column = Math.floor(eastM / squareM) % 2;
  const row = Math.floor(southM / squareM) % 2;
  return GROUNDS[row * 2 + column]!;
}

/** Clouds come in steps of this side, so that few blocks of a file differ. */
const CLOUD_STEP_M = 10_240;

/** The side of the square of clouds in the upper left corner of an image of that side. */
export const cloudSideM = (cloudPercent: number, sideM: number): number =>
  cloudPercent >= 100
    ? sideM
    : Math.round((Math.sqrt(cloudPercent / 100) * sideM) / CLOUD_STEP_M) * CLOUD_STEP_M;

const DAY_MS = 86_400_000;

const dayOfYear = (day: string): number =>
  (Date.parse(`${day}T00:00:00Z`) - Date.parse(`${day.slice(0, 4)}-01-01T00:00:00Z`)) / DAY_MS + 1;

/** NDVI of a kind on a day: a crop grows from March to October, the others stay as they are. */
export function ndviOn(ground: Ground, day: string): number {
  if (ground === 'forest') return 0.8;
  if (ground === 'soil') return 0.15;
  if (ground === 'water') return -0.3;
  const number = dayOfYear(day);
  if (number < 60 || number > 300) return 0.2;
  return 0.2 + 0.6 * Math.sin((Math.PI * (number - 60)) / 240) ** 2;
}

const NEAR_INFRARED: Readonly<Record<Ground, number>> = { crop: 0.32, forest: 0.36, soil: 0.24, water: 0.03 };
/** Of cloud in every band. */
export const CLOUD_REFLECTANCE = 0.7;

/** Bands by what they measure; sensors number them in their own ways. */
export type BandMeaning =
  | 'coastal'
  | 'blue'
  | 'green'
  | 'red'
  | 'rededge1'
  | 'rededge2'
  | 'rededge3'
  | 'nir'
  | 'watervapour'
  | 'swir1'
  | 'swir2';

/** Reflectance of a kind in a band on a day, before it is stored. */
export function reflectanceOf(ground: Ground, meaning: BandMeaning, day: string): number {
  const nir = NEAR_INFRARED[ground];
  const ndvi = ndviOn(ground, day);
  const red = (nir * (1 - ndvi)) / (1 + ndvi);
  switch (meaning) {
    case 'coastal':
      return red * 0.5 + 0.01;
    case 'blue':
      return red * 0.6 + 0.01;
    case 'green':
      return red * 0.8 + 0.02;
    case 'red':
      return red;
    case 'rededge1':
      return red + (nir - red) * 0.3;
    case 'rededge2':
      return red + (nir - red) * 0.7;
    case 'rededge3':
      return red + (nir - red) * 0.9;
    case 'nir':
      return nir;
    case 'watervapour':
      return nir * 0.4;
    case 'swir1':
      return nir * 0.5;
    case 'swir2':
      return nir * 0.3;
  }
}

/** How numbers are stored: `stored * scale + offset` is the measurement. */
export interface StoredAs {
  readonly scale: number;
  readonly offset: number;
}

/** The stored number of a measurement. */
export const toStored = (value: number, { scale, offset }: StoredAs): number =>
  Math.round((value - offset) / scale);

/** What is read back of a measurement: it was rounded to a stored number. */
export const readBack = (value: number, stored: StoredAs): number =>
  toStored(value, stored) * stored.scale + stored.offset;

/** NDVI as computed from stored bands, the number that tiles, points and statistics must give. */
export function expectNdvi(ground: Ground, day: string, stored: StoredAs): number {
  const nir = readBack(reflectanceOf(ground, 'nir', day), stored);
  const red = readBack(reflectanceOf(ground, 'red', day), stored);
  return (nir - red) / (nir + red);
}

/** Classes of Sentinel-2's scene classification. */
export const SCENE_CLASSES: Readonly<Record<Ground | 'cloud', number>> = {
  crop: 4,
  forest: 4,
  soil: 5,
  water: 6,
  cloud: 9,
};

/** QA_PIXEL of Landsat Collection 2: clear, water, or cloud of high confidence. */
export const PIXEL_QUALITY: Readonly<Record<Ground | 'cloud', number>> = {
  crop: 21_824,
  forest: 21_824,
  soil: 21_824,
  water: 21_952,
  cloud: 22_280,
};
