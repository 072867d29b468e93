/** A scene's outline on the map: reading it from the search answer, and the box around it. */

type Ring = readonly (readonly [number, number])[];

/** A GeoJSON outline in longitude and latitude. */
export type Outline =
  | { readonly type: 'Polygon'; readonly coordinates: readonly Ring[] }
  | { readonly type: 'MultiPolygon'; readonly coordinates: readonly (readonly Ring[])[] };

/** West, south, east, north in degrees; east runs past 180 when the box crosses the antimeridian. */
export type Box = readonly [west: number, south: number, east: number, north: number];

const isPosition = (value: unknown): boolean =>
  Array.isArray(value) && value.length >= 2 && Number.isFinite(value[0]) && Number.isFinite(value[1]);

/** The ring with its first position at the end too: files leave it out, and the server closes what it is sent. */
export const closeRing = <Position extends readonly number[]>(
  ring: readonly Position[],
): readonly Position[] => {
  const [first, last] = [ring[0], ring.at(-1)];
  if (first === undefined || (first[0] === last?.[0] && first[1] === last?.[1])) return ring;
  return [...ring, first];
};

const isRing = (value: unknown): boolean =>
  Array.isArray(value) && value.every(isPosition) && closeRing(value as Ring).length >= 4;

const isPolygon = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every(isRing);

const closeRings = (rings: readonly Ring[]): readonly Ring[] => rings.map((ring) => closeRing(ring));

/** The outline when `value` is a GeoJSON Polygon or MultiPolygon with finite numbers, otherwise `null`. Open rings are closed. */
export const parseOutline = (value: unknown): Outline | null => {
  if (typeof value !== 'object' || value === null) return null;
  const { type, coordinates } = value as { type?: unknown; coordinates?: unknown };
  if (type === 'Polygon' && isPolygon(coordinates))
    return { type, coordinates: closeRings(coordinates as Ring[]) };
  if (type === 'MultiPolygon' && Array.isArray(coordinates) && coordinates.length > 0) {
    return coordinates.every(isPolygon)
      ? { type, coordinates: (coordinates as Ring[][]).map(closeRings) }
      : null;
  }
  return null;
};

/** The smallest box around an outline; wider than half the earth means it crosses the antimeridian instead. */
export const toBox = (outline: Outline): Box => {
  const points = outline.type === 'Polygon' ? outline.coordinates.flat() : outline.coordinates.flat(2);
  const lats = points.map(([, lat]) => lat);
  let lons = points.map(([lon]) => lon);
  if (Math.max(...lons) - Math.min(...lons) > 180) lons = lons.map((lon) => (lon < 0 ? lon + 360 : lon));
  return [Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats)];
};

/** The outline of a box. */
export const outlineOfBox = ([west, south, east, north]: Box): Outline => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ],
  ],
});
