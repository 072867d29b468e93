import { dirname } from 'node:path';
import { isOfClasses } from '../../color/index.ts';
import type { PartedCog } from '../../formats/cog/index.ts';
import { estimateCogBytes } from '../../formats/cog/index.ts';
import { writeZip } from '../../formats/zip.ts';
import type { Grid } from '../../geo/index.ts';
import type { MosaicPictureRequest, Mosaics, PlannedMosaic } from '../../mosaic/index.ts';
import { listTouching } from '../../mosaic/index.ts';
import type { PixelWindow } from '../../raster/index.ts';
import { planExpressions, toWholeGrid } from '../../render/index.ts';
import { shownInput } from '../../render/native/index.ts';
import { findBand, sensorByDataset } from '../../sensors/index.ts';
import { badInput, notFound, unsupported } from '../errors.ts';
import type { ExportContent, ExportRun, PlanExport, PlannedExport } from '../export.ts';
import { toFileName } from '../export.ts';
import type { PictureFile } from '../pictures/picture-form.ts';
import { planPictureForm } from '../pictures/picture-form.ts';
import { DEFAULT_PICTURE_LIMITS } from '../pictures/plan-picture-grid.ts';
import type { SensorTree } from './band-names.ts';
import type { MosaicKind, MosaicPixels } from './fill-pixels.ts';
import type { MosaicOrder } from './mosaic-order.ts';
import { outlineOf, toBlockRequest, toMosaicName } from './mosaic-order.ts';
import type { MosaicScenes, UsedScenes } from './mosaic-scenes.ts';
import { numberScenes, toMetadata } from './mosaic-scenes.ts';
import type { TileFile } from './pack-mosaic.ts';
import { packMosaic } from './pack-mosaic.ts';
import { makePlanMosaicCog } from './plan-mosaic-cog.ts';
import { cutGrid, cutIntoFiles, isUtm, listWindows, planMosaicGrid } from './plan-mosaic-grid.ts';
import { meetsGrid } from './read-blocks.ts';
import type { MosaicPool } from './write-mosaic.ts';
import { encodeMosaic, writeMosaicCog } from './write-mosaic.ts';

interface MosaicFileDeps {
  readonly mosaics: Mosaics;
  readonly pool: MosaicPool;
  /** The side of the files that a large mosaic is cut into. */
  readonly filePx?: number;
}

/** The side of a picture by which a scene is planned, and not read. */
const PROBE_PX = 256;

/**
 * Builds the planning of files of mosaics. At the order one scene is found, so that what cannot be made is refused at
 * once; all scenes are found when the file is made, and every block chooses among the same ones.
 */
export function makePlanMosaicFile(deps: MosaicFileDeps): PlanExport<MosaicOrder> {
  const { mosaics } = deps;
  return async (order) => {
    const trees = planTrees(order);
    const [first] = await mosaics.findScenes(order.mosaic, planSearched(order), 1);
    if (first === undefined) throw nothingThere('The catalog has no scene for this mosaic in the area.');
    const request = toBlockRequest(order);
    const probe = await mosaics.plan({ ...request, grid: toWholeGrid(first.footprint, PROBE_PX) }, [first]);
    const grid = planGrid(order, trees, probe);
    const made: Making = { ...deps, order, grid, probe, request: toSmooth(request, probe) };
    const { content } = order;
    return content.kind === 'picture' && !isCog(content.file)
      ? planImage(made, content.file)
      : planFiles(made, makePlanMosaicCog(order, trees, probe));
  };
}

const nothingThere = (message: string): Error => notFound('nothing-there', message);

const isCog = (file: PictureFile): boolean => file.kind === 'image' && file.format === 'tiff';

/** All that is known of a file when it is ordered. */
interface Making extends MosaicFileDeps {
  readonly order: MosaicOrder;
  readonly grid: Grid;
  readonly probe: PlannedMosaic;
  readonly request: Omit<MosaicPictureRequest, 'grid'>;
}

/** Pictures of measures are resampled by cubic convolution, as those of scenes are. */
function toSmooth(
  request: Making['request'],
  { look: { color } }: Pick<PlannedMosaic, 'look'>,
): Making['request'] {
  const { options } = request;
  if (options.areValues === true || options.method !== null || isOfClasses(color)) return request;
  return { ...request, options: { ...options, method: 'cubic' } };
}

/** Reads the expressions by the names of each sensor. */
function planTrees({ mosaic, bands, content }: MosaicOrder): readonly SensorTree[] {
  return mosaic.search.datasets.map((dataset) => {
    const sensor = sensorByDataset(dataset);
    if (sensor === null) throw badInput('unknown-sensor', `There is no sensor ${dataset}.`);
    const isComposite = content.kind === 'picture' && content.options.isComposite;
    const tree = planExpressions({ bands, sensor, isComposite, areValues: content.kind === 'values' });
    if (tree.needsWindow) {
      throw unsupported(
        'needs-window',
        'An expression depends on the pixels around it, and a file of a mosaic is made in parts.',
        { details: { about: 'expressions' } },
      );
    }
    if (content.kind === 'values' && content.areBands) checkBands(bands, { sensor, tree });
    return { sensor, tree };
  });
}

/** Bands as they are delivered are not computed, and named once. */
function checkBands(bands: string, { sensor, tree }: SensorTree): void {
  const shown = tree.outputs.map((_, output) => shownInput(tree, output));
  const about = { details: { about: 'bands' } };
  if (shown.includes(null))
    throw unsupported(
      'unknown-band',
      `Not all of "${bands.slice(0, 100)}" are bands of ${sensor.title}.`,
      about,
    );
  if (new Set(shown).size !== shown.length) throw badInput('band-twice', 'A band is named twice.', about);
}

/** Pictures are in Web Mercator, and overlays in degrees: a viewer spreads their rows evenly over the latitudes. */
function planGrid(order: MosaicOrder, trees: readonly SensorTree[], probe: PlannedMosaic): Grid {
  const { area, content } = order;
  const pixelM = order.pixelM ?? finestM(trees, probe);
  if (content.kind === 'values') return planMosaicGrid({ area, pixelM, epsg: order.epsg, isRounded: true });
  const { file } = content;
  const epsg = file.kind === 'kmz' ? 4326 : 3857;
  const grid = planMosaicGrid({ area, pixelM, epsg, isRounded: isCog(file) });
  if (!isCog(file)) checkPicture(grid, pixelM);
  return grid;
}

/** The ground of an order: scenes are searched there, whatever its pixels will be. */
const planSearched = ({ area }: MosaicOrder): Grid =>
  planMosaicGrid({ area, pixelM: SEARCHED_M, epsg: 4326, isRounded: false });

/** Pixels that are only searched. */
const SEARCHED_M = 1_000;

/** The pixels of the finest band that is used: as the scene has it, or as its sensor is known for. */
function finestM(trees: readonly SensorTree[], { front }: PlannedMosaic): number {
  const scene = front?.picture.scene;
  const sizes = trees.flatMap(({ sensor, tree }) =>
    tree.inputs.map(({ band }) => {
      const asset = scene?.dataset === sensor.dataset ? scene.assets[band] : undefined;
      const isUpright = asset !== undefined && asset.lattice === undefined && isUtm(asset.epsg);
      return isUpright ? Math.abs(asset.transform[1]) : (findBand(sensor, band)?.resolutionM ?? Infinity);
    }),
  );
  return Math.min(...sizes);
}

/** Refuses an image that is too large, with the pixel size that would fit. */
function checkPicture({ width, height }: Grid, pixelM: number): void {
  const { pixels, sidePx } = DEFAULT_PICTURE_LIMITS;
  const excess = Math.max(Math.sqrt((width * height) / pixels), Math.max(width, height) / sidePx);
  if (excess <= 1) return;
  const pxSize = Math.ceil(pixelM * excess * 1.001 * 100) / 100;
  throw badInput(
    'picture-too-large',
    `The picture would have ${width} × ${height} pixels; ${pixels} are the limit, and ${sidePx} a side. A px_size of ${pxSize} fits, and format tiff has no such limit.`,
    { details: { width, height, limit: pixels, pxSize } },
  );
}

const toName = ({ mosaic, nameAlias, bands }: MosaicOrder, extension: string): string =>
  toFileName({ viewId: toMosaicName(mosaic), nameAlias, combination: bands, extension });

/** What all files of an order are made of, once its scenes are found. */
interface Found {
  readonly numbers: MosaicScenes;
  readonly kind: MosaicKind;
  /** Takes the scenes of all files. */
  readonly used: UsedScenes;
}

async function findAll({ mosaics, order, grid, probe }: Making, { ticket }: ExportRun): Promise<Found> {
  const numbers = numberScenes(await mosaics.findScenes(order.mosaic, grid));
  const kind: MosaicKind =
    order.content.kind === 'picture'
      ? { kind: 'painted', contrast: await mosaics.findContrast(probe, ticket) }
      : { kind: 'values', channels: probe.front?.picture.plan.tree.outputs.length ?? 1 };
  return { numbers, kind, used: numbers.begin() };
}

/** The pixels of a file. Scenes that give some are noted for it, and for the whole order. */
function toPixels(made: Making, grid: Grid, { numbers, kind, used }: Found, own: UsedScenes): MosaicPixels {
  const { mosaics, request, order } = made;
  // Blocks look at the scenes of their file only: a country has thousands.
  const scenes = listTouching(numbers.all, grid);
  const add: UsedScenes['add'] = (sources) => {
    own.add(sources);
    used.add(sources);
  };
  const both = { ...own, add };
  return {
    mosaics,
    request,
    scenes,
    outline: outlineOf(order),
    grid,
    numbers,
    used: both,
    kind,
  };
}

/** A file without a pixel would look like a place without anything. */
function checkUsed({ used }: Found): void {
  if (used.list().length > 0) return;
  throw nothingThere('No scene of this mosaic shows the ground in the area: the file would be empty.');
}

/** What a file is made of, and the plan of the block in its middle. */
async function toContent({ grid, mosaics, request }: Making): Promise<ExportContent> {
  const windows = listWindows({ x: 0, y: 0, width: grid.width, height: grid.height });
  const middle = windows[windows.length >> 1] as PixelWindow;
  const block = await mosaics.plan({ ...request, grid: cutGrid(grid, middle) });
  return { kind: 'mosaic', grid, block };
}

/** Plans an image by itself, with a world file, or in an overlay. */
function planImage(made: Making, file: PictureFile): PlannedExport {
  const { order, grid, pool } = made;
  const { extension, write, ...form } = planPictureForm(file, (end) => toName(order, end), grid);
  return {
    fileName: toName(order, extension),
    ...form,
    describe: () => toContent(made),
    async write(path, run) {
      const found = await findAll(made, run);
      const pixels = toPixels(made, grid, found, found.numbers.begin());
      const source = {
        encode: (format: 'jpeg' | 'png', own: ExportRun) => encodeMosaic(format, pixels, pool, own),
        writeCog: (to: string, cog: PartedCog, own: ExportRun) =>
          writeMosaicCog({ path: to, cog, pixels, toMetadata: () => ({}) }, pool, own),
      };
      await write(path, source, run);
      checkUsed(found);
    },
  };
}

/** Plans a COG, or several in an archive with what joins and describes them. */
function planFiles(made: Making, planCog: ReturnType<typeof makePlanMosaicCog>): PlannedExport {
  const { order, grid, filePx } = made;
  const tiles = cutIntoFiles(grid, filePx).map(
    (tile): TileFile => ({
      ...tile,
      cog: planCog(cutGrid(grid, tile.window)),
      blocks: listWindows(tile.window).length,
    }),
  );
  const common = {
    estimatedBytes: tiles.reduce((sum, { cog }) => sum + estimateCogBytes(cog), 0),
    blocks: tiles.reduce((sum, { blocks }) => sum + blocks, 0),
    describe: () => toContent(made),
  };
  const [only, ...others] = tiles as [TileFile, ...TileFile[]];
  if (others.length === 0) {
    return {
      ...common,
      fileName: toName(order, order.content.kind === 'picture' ? 'tiff' : 'TIF'),
      contentType: 'image/tiff',
      async write(path, run) {
        const found = await findAll(made, run);
        await writeTile(made, only, found, { path, run });
        checkUsed(found);
      },
    };
  }
  return {
    ...common,
    fileName: toName(order, 'zip'),
    contentType: 'application/zip',
    async write(path, run) {
      const found = await findAll(made, run);
      const entries = packMosaic(
        {
          order,
          name: toName(order, 'zip').slice(0, -'.zip'.length),
          grid,
          tiles,
          write: (tile, to, own) => writeTile(made, tile, found, { path: to, run: own }),
          isWanted: (tile) => isWanted(made, tile, found),
          listScenes: found.used.list,
        },
        dirname(path),
        run,
      );
      const { signal } = run.ticket;
      await writeZip(path, entries, signal === undefined ? {} : { signal });
      checkUsed(found);
    },
  };
}

/** Whether a file may have a pixel: it meets the area and a scene. */
function isWanted({ order, grid }: Making, { window }: TileFile, { numbers }: Found): boolean {
  const outline = outlineOf(order);
  const own = cutGrid(grid, window);
  return (outline === null || meetsGrid(outline, own)) && listTouching(numbers.all, own).length > 0;
}

async function writeTile(
  made: Making,
  { cog, window }: TileFile,
  found: Found,
  { path, run }: { readonly path: string; readonly run: ExportRun },
): Promise<void> {
  const own = found.numbers.begin();
  const pixels = toPixels(made, cutGrid(made.grid, window), found, own);
  const toOwnMetadata = () => toMetadata(made.order, own.list());
  await writeMosaicCog({ path, cog, pixels, toMetadata: toOwnMetadata }, made.pool, run);
}
