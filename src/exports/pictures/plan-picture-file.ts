import { hash } from 'node:crypto';
import { isOfClasses } from '../../color/index.ts';
import type { AreaOutline, Grid } from '../../geo/index.ts';
import type { JobRunner } from '../../pool/index.ts';
import type { PaintedScene, Painter, PlannedPicture } from '../../render/index.ts';
import type { Sensor } from '../../sensors/index.ts';
import { sensorByAbbreviation } from '../../sensors/index.ts';
import { badInput, unsupported } from '../errors.ts';
import type { ExportArea, PlanExport, PlannedExport } from '../export.ts';
import { toFileName } from '../export.ts';
import type { PictureJobs } from '../export-jobs.ts';
import type { TopJobs } from '../write-cog.ts';
import { writePictureCog } from './picture-cog.ts';
import type { PictureFile, PictureOptions, PicturePixels } from './picture-form.ts';
import { planPictureForm } from './picture-form.ts';
import { encodeStrips, makeEncodeSceneStrip } from './picture-strips.ts';
import type { PictureLimits, PixelSize } from './plan-picture-grid.ts';
import { DEFAULT_PICTURE_LIMITS, planPictureGrid } from './plan-picture-grid.ts';

/** A file with a picture of a scene. Plain JSON, except that an outline is an array of numbers. */
export interface PictureOrder {
  /** The address of the scene, for the catalog and for the name of the file. */
  readonly viewId: string;
  /** The view id without its sensor. */
  readonly sceneName: string;
  /** Abbreviation of the sensor. */
  readonly sensor: string;
  /** Bands, aliases or band math. */
  readonly bands: string;
  /** What the file is called instead of the bands. */
  readonly nameAlias: string | null;
  /** Null for the whole scene. */
  readonly area: ExportArea | null;
  /** `method` null: cubic convolution for measures, nearest neighbours for classes. */
  readonly options: PictureOptions;
  /** Null for the pixels of the finest band that is shown. */
  readonly pixel: PixelSize | null;
  readonly file: PictureFile;
}

interface PictureFileDeps {
  readonly painter: Painter;
  readonly pool: JobRunner<PictureJobs & TopJobs>;
  readonly limits?: PictureLimits;
}

/**
 * Builds the planning of files with a picture of a scene, in 8 bits a channel. Its pixels are those of tiles: contrast
 * and classes are found for the whole scene or area, as for tiles, and every pixel is drawn by the same steps.
 */
export function makePlanPictureFile({
  painter,
  pool,
  limits = DEFAULT_PICTURE_LIMITS,
}: PictureFileDeps): PlanExport<PictureOrder> {
  return async (order) => {
    const request = toRequest(order);
    const { assets, needsWindow } = await painter.findImages(request);
    if (needsWindow) {
      throw unsupported(
        'needs-window',
        'This expression depends on all pixels of a picture at once; a file is drawn in parts.',
        { details: { about: 'expressions' } },
      );
    }
    const { area, pixel, file } = order;
    // A viewer spreads the rows of an overlay evenly over its latitudes: on the map of tiles they are not even.
    const epsg = file.kind === 'kmz' ? 4326 : 3857;
    const { grid, probe } = planPictureGrid({ assets, area, pixel, epsg, limits });
    const planned = await planProbe(painter, { ...request, grid: probe });
    return planFile(order, { grid, planned, painter, pool });
  };
}

function findSensor(abbreviation: string): Sensor {
  const sensor = sensorByAbbreviation(abbreviation);
  if (sensor === null) throw badInput('unknown-sensor', `There is no sensor ${abbreviation}.`);
  return sensor;
}

function toRequest({ viewId, sceneName, sensor, bands, options, area }: PictureOrder) {
  return {
    viewId,
    sceneName,
    sensor: findSensor(sensor),
    bands,
    options: {
      ...options,
      format: 'auto',
      area: area?.kind === 'outline' ? { ref: toRef(area.outline), outline: area.outline } : null,
      watermark: null,
    },
  } as const;
}

/** Classes are cached by the name of their area. */
const toRef = (outline: AreaOutline): string => hash('sha256', outline, 'hex');

/** Plans a tile of the picture: refuses what cannot be drawn. Cubic convolution is for measures only. */
async function planProbe(painter: Painter, request: Parameters<Painter['plan']>[0]): Promise<PlannedPicture> {
  const planned = await painter.plan(request);
  if (request.options.method !== null || isOfClasses(planned.plan.color)) return planned;
  return painter.plan({ ...request, options: { ...request.options, method: 'cubic' } });
}

/** A picture whose pixels are planned. */
interface PlannedPixels {
  readonly grid: Grid;
  /** Of a tile of the picture. */
  readonly planned: PlannedPicture;
  readonly painter: Painter;
  readonly pool: JobRunner<PictureJobs & TopJobs>;
}

/** Plans the file of a picture of a scene. */
function planFile(order: PictureOrder, pixels: PlannedPixels): PlannedExport {
  const { grid, planned, painter } = pixels;
  const { bands: combination, nameAlias, file } = order;
  const toName = (extension: string): string =>
    toFileName({ viewId: planned.scene.viewId, nameAlias, combination, extension });
  const { extension, write, ...form } = planPictureForm(file, toName, grid);
  return {
    fileName: toName(extension),
    ...form,
    describe: async () => ({ kind: 'picture', grid, tile: planned }),
    async write(path, run) {
      await painter.paint(planned, run.ticket, (painted) => write(path, toPixels(painted, pixels), run));
    },
  };
}

/** What makes the pixels of a scene's picture. */
const toPixels = (painted: PaintedScene, { grid, pool }: PlannedPixels): PicturePixels => ({
  encode: (format, run) =>
    encodeStrips({ grid, format, encode: makeEncodeSceneStrip({ painted, format }, pool, run) }, run),
  writeCog: (path, cog, run) => writePictureCog({ path, cog, grid, painted }, pool, run),
});
