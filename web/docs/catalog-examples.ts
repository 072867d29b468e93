/** A hit of the search, as far as examples are made of it. */
interface ExampleHit {
  readonly view_id: string;
  readonly satellite: string;
  readonly dataGeometry: { readonly type: string; readonly coordinates: unknown };
}

/** What of a sensor examples need. */
interface ExampleSensor {
  readonly dataset: string;
  readonly compositions: readonly { readonly bands: string }[];
}

/** At this zoom a tile is smaller than any scene but aerial photographs. */
const ZOOM = 12;

/** Values of parameters, by name, that work for a scene: its ids, its middle, and the tile there. */
export function toExamples(hit: ExampleHit, sensors: readonly ExampleSensor[]): ReadonlyMap<string, string> {
  const [sensor = '', ...name] = hit.view_id.split('/');
  const positions = listPositions(hit.dataGeometry.coordinates);
  const middle = (i: 0 | 1): number => {
    const all = positions.map((position) => position[i]);
    return (Math.min(...all) + Math.max(...all)) / 2;
  };
  const [lon, lat] = [middle(0), middle(1)];
  const radians = (lat * Math.PI) / 180;
  const tiles = 2 ** ZOOM;
  const y = ((1 - Math.asinh(Math.tan(radians)) / Math.PI) / 2) * tiles;
  const bands = sensors.find(({ dataset }) => dataset === hit.satellite)?.compositions[0]?.bands;
  return new Map([
    ['view_id', hit.view_id],
    ['sensor', sensor],
    ['scene_id', name.join('/')],
    ['z', String(ZOOM)],
    ['x', String(Math.floor(((lon + 180) / 360) * tiles))],
    ['y', String(Math.floor(y))],
    ['lat', lat.toFixed(4)],
    ['lon', lon.toFixed(4)],
    ...(bands === undefined ? [] : [['bands', bands] as const]),
  ]);
}

function listPositions(coordinates: unknown): readonly (readonly [number, number])[] {
  if (!Array.isArray(coordinates)) return [];
  if (typeof coordinates[0] === 'number') return [coordinates as unknown as [number, number]];
  return coordinates.flatMap(listPositions);
}
