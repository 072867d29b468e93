import { hash } from 'node:crypto';
import { badInput, unsupported } from '../../errors.ts';
import type { AreaOutline } from '../../geo/index.ts';
import type { JobRunner } from '../../pool/index.ts';
import type { Painter, PlannedPicture } from '../../render/index.ts';
import { isOfClasses } from '../../render/index.ts';
import type { Sensor } from '../../sensors/index.ts';
import { sensorByAbbreviation } from '../../sensors/index.ts';
import type { TopJobs } from '../cog/encode-top.ts';
import type { PlanExport } from '../export.ts';
import type { PictureJobs } from './picture-jobs.ts';
import type { PictureLimits } from './picture-limits.ts';
import { DEFAULT_PICTURE_LIMITS } from './picture-limits.ts';
import type { PictureOrder } from './picture-order.ts';
import { planFile } from './plan-file.ts';
import { planPictureGrid } from './plan-picture-grid.ts';

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
