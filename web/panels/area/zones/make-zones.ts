/** Zones of an area in a scene: classes from the server, and their polygons, areas and means. */
import type { Patch } from '../../../../src/numbers/trace-patches.ts';
import { tracePatches } from '../../../../src/numbers/trace-patches.ts';
import type { Api } from '../../../api/api.ts';
import { toFailure, unknownForm } from '../../../api/failure.ts';
import type { Outline } from '../../../scenes/footprint.ts';
import { asNumber, asRecord, asText } from '../../../scenes/read-json.ts';
import type { Scene } from '../../../scenes/scene.ts';
import { toVerbPath } from '../../../scenes/tile-template.ts';
import { epsgOf, fromUtm } from '../../../shapes/utm.ts';
import type { Polygons, Zone, Zones, ZonesChoice } from '../../../state/zones-state.ts';
import type { ZoneGrid } from './plan-grid.ts';
import { pixelOfIndex, planGrid } from './plan-grid.ts';
import { runInSlices } from './run-in-slices.ts';

/** Four bytes a pixel. */
export type DecodePicture = (picture: Blob) => Promise<Uint8ClampedArray>;

/** What zones are made with. */
export interface ZoneParts {
  readonly send: Api['send'];
  readonly decode: DecodePicture;
  /** Lets the page draw. */
  readonly pause: () => Promise<void>;
}

/** What is divided. */
export interface ZoneRequest {
  readonly outline: Outline;
  readonly scene: Scene;
  readonly choice: ZonesChoice;
  /** Colours from the lowest zone to the highest; they are spread over the zones. */
  readonly colors: readonly string[];
}

/** Classes travel as shades of blue, far enough apart to be told from each other in any picture. */
const SHADE = 16;

const readAnswer = async (answer: Promise<Response>): Promise<Response> => {
  const response = await answer;
  if (!response.ok) throw toFailure(response.status, await response.text());
  return response;
};

const toPalette = (count: number): string =>
  JSON.stringify(
    Object.fromEntries(
      Array.from({ length: count }, (_, i) => [
        String(i + 1),
        `#0000${((i + 1) * SHADE).toString(16).padStart(2, '0')}`,
      ]),
    ),
  );

/** The address of a picture on the pixels of a grid. */
const toGridPath = (
  { viewId }: Scene,
  index: string,
  { zone, pixelM, left, top, width, height }: ZoneGrid,
  query: Readonly<Record<string, string>>,
): string => {
  const code = epsgOf(zone);
  const [right, bottom] = [left + width * pixelM, top - height * pixelM];
  const all = new URLSearchParams({
    crs: `EPSG:${code}`,
    TILE_SIZE: `${width},${height}`,
    mimetype: 'image/png',
    RESAMPLE: 'near',
    CALIBRATE: '1',
    ...query,
  });
  return `api/render/${viewId}/${encodeURIComponent(index)}/0/${left};${right};${code}/${top};${bottom};${code}?${all}`;
};

/** Degrees to a hundredth of a millimetre: corners that two zones share stay the same. */
const round = (degrees: number): number => Math.round(degrees * 1e9) / 1e9;

const toPolygons = (patches: readonly Patch[], { zone, pixelM, left, top }: ZoneGrid): Polygons =>
  patches.map(({ rings }) =>
    rings.map((ring) =>
      ring.map(([column, row]) => {
        const [lon, lat] = fromUtm(zone, left + column * pixelM, top - row * pixelM);
        return [round(lon), round(lat)] as const;
      }),
    ),
  );

/** The colour of a zone among others. */
const spread = (colors: readonly string[], i: number, count: number): string =>
  colors[count === 1 ? 0 : Math.round((i * (colors.length - 1)) / (count - 1))] ?? '#888888';

/** Makes the zones. */
export const makeZones = async (
  { send, decode, pause }: ZoneParts,
  { outline, scene, choice, colors }: ZoneRequest,
  signal: AbortSignal,
): Promise<Zones> => {
  const { index, count, minPatchM2 } = choice;
  const stored = await readAnswer(
    send('api/render/cropper', { method: 'POST', body: JSON.stringify(outline) }, signal),
  );
  const reference = asText(asRecord(await stored.json()).cropper_ref);
  if (reference === null) throw unknownForm();
  const grid = planGrid(outline, pixelOfIndex(scene.sensor, index));
  const read = async (query: Readonly<Record<string, string>>): Promise<Uint8ClampedArray> => {
    const path = toGridPath(scene, index, grid, { cropper_ref: reference, ...query });
    return decode(await (await readAnswer(send(path, {}, signal))).blob());
  };
  const classQuery = {
    CLUSTERING: 'kmeans',
    CLUSTERS_NO: String(count),
    PALETTE: toPalette(count),
    ...(minPatchM2 === 0 ? {} : { MIN_AREA: String(minPatchM2) }),
  };
  const rangePath = `${toVerbPath(scene.viewId, 'ir')}/${encodeURIComponent(index)}?method=minmax&cloud=0&CALIBRATE=1&cropper_ref=${reference}`;
  const [shades, range] = await Promise.all([
    read(classQuery),
    readAnswer(send(rangePath, {}, signal)).then(async (response) => asRecord(await response.json())),
  ]);
  const [min, max] = [asNumber(range.min), asNumber(range.max)];
  // An area of one value has no range to tell values apart in: that value is the mean.
  const isFlat = min === null || max === null || min >= max;
  const values = isFlat ? null : await read({ MIN_MAX: `${min},${max}` });
  signal.throwIfAborted();

  const classes = new Uint8Array(grid.width * grid.height);
  const sums = new Float64Array(count + 1);
  const counts = new Float64Array(count + 1);
  for (let i = 0; i < classes.length; i++) {
    const own = (shades[4 * i + 3] ?? 0) < 128 ? 0 : Math.round((shades[4 * i + 2] ?? 0) / SHADE);
    classes[i] = own;
    if (values === null || own === 0 || (values[4 * i + 3] ?? 0) === 0) continue;
    sums[own] = (sums[own] ?? 0) + (values[4 * i] ?? 0);
    counts[own] = (counts[own] ?? 0) + 1;
  }
  const patches = await runInSlices(tracePatches({ ...grid, classes }), async () => {
    await pause();
    signal.throwIfAborted();
  });
  const meanOf = (own: number): number | null => {
    if (isFlat) return min;
    const sum = sums[own] ?? 0;
    return counts[own] ? min + (sum / (counts[own] ?? 1) / 255) * (max - min) : null;
  };
  const found = Array.from({ length: count }, (_, i) => i + 1).filter((own) => classes.includes(own));
  const zones = found.map((own, i): Zone => {
    const ofZone = patches.filter((patch) => patch.class === own);
    return {
      number: own,
      color: spread(colors, i, found.length),
      areaM2: ofZone.reduce((sum, { pixels }) => sum + pixels, 0) * grid.pixelM ** 2,
      mean: meanOf(own),
      polygons: toPolygons(ofZone, grid),
    };
  });
  return { viewId: scene.viewId, date: scene.date, choice, zones, pixelM: grid.pixelM };
};
