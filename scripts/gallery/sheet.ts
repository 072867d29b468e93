/** One picture of the gallery. */
export interface GalleryPicture {
  readonly title: string;
  /** Path and query from the root of the service, as a client writes them. */
  readonly address: string;
}

/** Pictures that are put together into one image, row by row. */
export interface GallerySheet {
  /** Of the file: `gallery-{name}.jpg`. */
  readonly name: string;
  readonly title: string;
  /** What there is to see. */
  readonly text: string;
  readonly columns: number;
  readonly pictures: readonly GalleryPicture[];
}

/** A scene and what is shown of it. */
interface Shown {
  readonly viewId: string;
  readonly bands: string;
  readonly query?: string;
}

/** A square of ground around a location. */
export interface Square {
  readonly lon: number;
  readonly lat: number;
  readonly sideM: number;
}

/** Half the way around the equator in Web Mercator, in metres. */
const HALF_WORLD_M = 20_037_508.34;

/** The address of a tile, `z/x/y`. */
export const toTile = ({ viewId, bands, query = '' }: Shown, tile: string): string =>
  `/api/render/${viewId}/${bands}/${tile}${query === '' ? '' : `?${query}`}`;

/** The address of a square. */
export const toSquare = (shown: Shown, square: Square): string => toTile(shown, toBounds(square));

/** A square in the place of `z/x/y`; its zoom says nothing, but must be there. */
export function toBounds({ lon, lat, sideM }: Square): string {
  const radians = (lat * Math.PI) / 180;
  const half = sideM / 2 / Math.cos(radians);
  const x = (lon / 180) * HALF_WORLD_M;
  const y = (Math.asinh(Math.tan(radians)) / Math.PI) * HALF_WORLD_M;
  const [left, right, upper, lower] = [x - half, x + half, y + half, y - half].map(Math.round);
  return `12/${left};${right};3857/${upper};${lower};3857`;
}
