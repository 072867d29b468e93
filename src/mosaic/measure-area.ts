import type { AreaOutline, Grid } from '../geo/index.ts';
import { outlineBounds } from '../geo/index.ts';
import { summarize } from '../numbers/index.ts';
import type { Ticket } from '../pool/index.ts';
import { projectBounds } from '../proj/index.ts';
import type { RenderOptions } from '../render/index.ts';
import { utmCodeAt } from '../render/native/index.ts';
import { badInput } from './errors.ts';
import type { Mosaic, MosaicPictureRequest } from './mosaic.ts';
import type { AreaValues, Mosaics } from './mosaics.ts';
import type { PlannedMosaic } from './plan-mosaic.ts';
import { finestM } from './zooms.ts';

/** Pixels on the longer side of an area: more say nothing more about it. */
export const MAX_AREA_PX = 1_024;

/** An area in which a mosaic is measured. */
interface MeasuredArea {
  readonly mosaic: Mosaic;
  readonly outline: AreaOutline;
  /** The pixels in metres; null for those of the finest band. */
  readonly resolutionM: number | null;
  readonly calibrated: boolean;
}

/** Numbers are read and not drawn. */
export const toValueOptions = (calibrated: boolean): RenderOptions => ({
  format: 'png',
  method: null,
  range: null,
  calibrated,
  isComposite: false,
  color: {},
  area: null,
  watermark: null,
});

/** The pixels in which a mosaic is measured in an area: squares of its UTM zone. */
export function toAreaRequest({
  mosaic,
  outline,
  resolutionM,
  calibrated,
}: MeasuredArea): MosaicPictureRequest {
  const wantedM = resolutionM ?? finestM(mosaic.search.datasets);
  const grid = toAreaGrid(outline, (longestM) => Math.max(wantedM, longestM / (MAX_AREA_PX - 1)));
  return { ...mosaic, grid, options: toValueOptions(calibrated) };
}

/** Measures a mosaic in an area, as `toAreaRequest` has it planned. */
export async function measureArea(
  mosaics: Pick<Mosaics, 'readValues'>,
  { planned, outline }: { readonly planned: PlannedMosaic; readonly outline: AreaOutline },
  ticket: Ticket,
): Promise<AreaValues> {
  const { channels, mask, areaPx, sources } = await mosaics.readValues(planned, outline, ticket);
  return { summaries: channels.map((values) => summarize(values, mask)), areaPx: areaPx ?? 0, sources };
}

/** The pixels around an area in its UTM zone, on a lattice of their size in metres. */
export function toAreaGrid(outline: AreaOutline, toPixelM: (longestM: number) => number): Grid {
  const { west, south, east, north } = outlineBounds(outline);
  const epsg = utmCodeAt((west + east) / 2, (south + north) / 2);
  const bounds = projectBounds({ minX: west, minY: south, maxX: east, maxY: north }, 4326, epsg);
  if (bounds === null) throw badInput('bad-area', 'The area reaches where its UTM zone is not defined.');
  const { minX, minY, maxX, maxY } = bounds;
  const pixelM = toPixelM(Math.max(maxX - minX, maxY - minY));
  const [left, top] = [Math.floor(minX / pixelM), Math.ceil(maxY / pixelM)];
  return {
    epsg,
    transform: [left * pixelM, pixelM, 0, top * pixelM, 0, -pixelM],
    width: Math.max(1, Math.ceil(maxX / pixelM) - left),
    height: Math.max(1, top - Math.floor(minY / pixelM)),
  };
}
