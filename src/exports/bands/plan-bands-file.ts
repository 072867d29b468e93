import { dirname } from 'node:path';
import type { Scene, SceneStore } from '../../catalog/index.ts';
import { findScene } from '../../catalog/index.ts';
import { badInput, isSwathError, notFound, tooLarge } from '../../errors.ts';
import type { StoredBytes, StoredFile, ZipEntry } from '../../formats/index.ts';
import { writeZip } from '../../formats/index.ts';
import type { Ticket } from '../../pool/index.ts';
import type { GeoreferencedGrid } from '../../proj/index.ts';
import type { PixelWindow } from '../../raster/index.ts';
import type { Sensor } from '../../sensors/index.ts';
import { sensorByAbbreviation, sensorByDataset } from '../../sensors/index.ts';
import { cropGrid, planAreaWindow, toAreaBounds } from '../area/area-window.ts';
import type { ExportArea, ExportRun, PlanExport } from '../export.ts';
import type { BandsOrder } from './bands-order.ts';
import { chooseBands } from './choose-bands.ts';
import { readOriginal } from './copied-image.ts';
import { makeEntryNames, toBandsName, toMetadataName, toPlainName } from './file-names.ts';
import type { BandGroup } from './group-bands.ts';
import { groupBands } from './group-bands.ts';
import { planMetadata } from './metadata-files.ts';
import type { ImagePool } from './plan-image.ts';
import { planImage } from './plan-image.ts';
import type { PlannedImage } from './planned-image.ts';
import { packImage, writeImage } from './planned-image.ts';
import { toRecordedFile } from './read-files.ts';

interface BandsFileDeps {
  readonly scenes: SceneStore;
  /** Gives scenes as their files are, and brings records up to date when a thread has met another file. */
  readonly watch: {
    check(scene: Scene): Promise<Scene>;
    renew(scene: Scene): Promise<void>;
  };
  readonly pool: ImagePool;
  /** Of the estimated file; 4 GiB when omitted. */
  readonly maxBytes?: number;
}

const GIB = 2 ** 30;

/** Someone waits for the plan; there is no key yet whose turn it could be. */
const PLANNING: Ticket = { owner: 'exports', lane: 'tile', timeoutMs: 30_000 };
/** Headers and block indexes of all files of an order. */
const HEADER_BYTES = 32 * 2 ** 20;

/** An image and its name in the archive, without extension. */
interface NamedImage {
  readonly name: string;
  readonly image: PlannedImage;
}

/** A metadata file and the name that it gets. */
interface NamedMetadata {
  readonly stem: string;
  readonly extension: string;
  readonly file: StoredBytes;
}

/** Builds the planning of files with bands of a scene as they were delivered. */
export function makePlanBandsFile(deps: BandsFileDeps): PlanExport<BandsOrder> {
  const { scenes, watch } = deps;
  const find = async ({ viewId, sceneName, sensor: abbreviation }: BandsOrder): Promise<Scene> => {
    const sensor = sensorByAbbreviation(abbreviation);
    if (sensor === null) throw notFound('unknown-scene', 'There is no such scene.');
    return watch.check(await findScene(scenes, { viewId, sceneName, sensor }));
  };
  const plan = async (order: BandsOrder) => {
    const scene = await find(order);
    try {
      return await planScene(order, scene, deps);
    } catch (error) {
      if (!isSwathError(error) || error.code !== 'source-changed') throw error;
      await watch.renew(scene);
      return planScene(order, await find(order), deps);
    }
  };
  return async (order) => {
    const planned = await plan(order);
    return {
      ...planned,
      async write(path, run) {
        try {
          await planned.write(path, run);
        } catch (error) {
          if (!isSwathError(error) || error.code !== 'source-changed') throw error;
          // The files were replaced after the plan was made: the order is for what is there now.
          await watch.renew(planned.scene);
          await (await plan(order)).write(path, run);
        }
      },
    };
  };
}

/** The pixels of a group that an order wants, and where they lie. */
interface GroupPixels extends BandGroup {
  readonly window: PixelWindow;
  readonly grid: GeoreferencedGrid;
}

function planPixels(group: BandGroup, area: ExportArea | null): GroupPixels {
  const { asset } = group.bands[0];
  const { width, height } = asset;
  const whole = { x: 0, y: 0, width, height };
  const window = area === null ? whole : planAreaWindow(asset, toAreaBounds(area));
  if (window === null) throw outsideScene();
  const { epsg, proj, transform, lattice } = asset;
  const grid = {
    ...whole,
    epsg,
    transform,
    ...(proj === undefined ? {} : { proj }),
    ...(lattice === undefined ? {} : { lattice }),
  };
  return { ...group, window, grid: cropGrid(grid, window) };
}

const outsideScene = () =>
  badInput('area-outside-scene', 'The area lies outside the scene, or between the centres of its pixels.');

/** Refuses an outline that has no pixel in one of the files. */
async function checkOutline(groups: readonly GroupPixels[], area: ExportArea | null, pool: ImagePool) {
  if (area?.kind !== 'outline') return;
  const { outline } = area;
  for (const { grid } of groups) {
    const { output } = await pool.run('export-area', { outline, grid }, { ...PLANNING, bytes: HEADER_BYTES });
    if (!output) throw outsideScene();
  }
}

/** How the files of all bands are stored, by their addresses. */
async function readFiles(groups: readonly BandGroup[], pool: ImagePool) {
  const files = new Map(
    groups.flatMap(({ bands }) => bands.map(({ asset }) => [asset.href, toRecordedFile(asset)] as const)),
  );
  const ticket = { ...PLANNING, bytes: HEADER_BYTES };
  const { output } = await pool.run('export-files', { files: [...files.values()] }, ticket);
  return new Map<string, StoredFile>([...files.keys()].map((href, i) => [href, output[i]!]));
}

async function findMetadata(order: BandsOrder, scene: Scene, pool: ImagePool): Promise<NamedMetadata[]> {
  const job = planMetadata(order.metadata, scene);
  if (job.files.length === 0) return [];
  const { output } = await pool.run('export-metadata', job, { ...PLANNING, bytes: HEADER_BYTES });
  return order.metadata.map(({ label, url }, i) => ({ ...toMetadataName(label, url), file: output[i]! }));
}

/** Where bands are merged the resolution tells the files of an archive apart, otherwise the band. */
const toImageName = ({ bands }: BandGroup, isMerged: boolean): string =>
  isMerged ? `${bands[0].band.resolutionM}m` : bands[0].band.name;

async function planScene(order: BandsOrder, scene: Scene, { pool, maxBytes = 4 * GIB }: BandsFileDeps) {
  const sensor = sensorByDataset(scene.dataset) as Sensor;
  const bands = chooseBands(order.bands, sensor, scene);
  // All bands of NAIP are in one file anyway.
  const isMerged = order.merge || sensor.family === 'naip';
  const groups = groupBands(bands, isMerged).map((group) => planPixels(group, order.area));
  const metadata = await findMetadata(order, scene, pool);
  await checkOutline(groups, order.area, pool);
  const files = await readFiles(groups, pool);
  const isJp2 = bands.length === 1 && sensor.family === 'sentinel-2';
  const isArchive = !isJp2 && (groups.length > 1 || metadata.length > 0);
  const record = { name: scene.viewId, version: scene.version };
  const images = groups.map((group): NamedImage => {
    const request = {
      ...group,
      files: group.bands.map(({ asset }) => files.get(asset.href)!),
      record,
      outline: order.area?.kind === 'outline' ? order.area.outline : null,
      jp2: isJp2 ? ('always' as const) : isArchive && !isMerged ? ('original' as const) : ('never' as const),
    };
    return { name: toImageName(group, isMerged), image: planImage(request, pool) };
  });
  const included = isArchive ? metadata : [];
  const estimatedBytes = Math.ceil(
    images.reduce((sum, { image }) => sum + image.estimatedBytes, 0) +
      included.reduce((sum, { file }) => sum + file.size, 0),
  );
  checkSize(estimatedBytes, maxBytes);
  const what = bands.map(({ band }) => band.name).join('-');
  const blocks = images.reduce((sum, { image }) => sum + image.blocks, 0) + included.length;
  const common = { scene, estimatedBytes, blocks };
  if (!isArchive) {
    const { image } = images[0]!;
    return {
      ...common,
      fileName: toBandsName(scene.viewId, what, image.extension),
      contentType: image.extension === 'jp2' ? 'image/jp2' : 'image/tiff',
      write: (path: string, run: ExportRun) => writeImage(image, path, run),
    };
  }
  return {
    ...common,
    fileName: toBandsName(scene.viewId, what, 'zip'),
    contentType: 'application/zip',
    async write(path: string, run: ExportRun) {
      const entries = packAll({ viewId: scene.viewId, images, metadata: included }, dirname(path), {
        pool,
        run,
      });
      const { signal } = run.ticket;
      await writeZip(path, entries, signal === undefined ? {} : { signal });
    },
  };
}

function checkSize(bytes: number, maxBytes: number): void {
  if (bytes <= maxBytes) return;
  const [size, limit] = [bytes, maxBytes].map((value) => (value / GIB).toFixed(1));
  throw tooLarge(
    'export-too-large',
    `The file would take about ${size} GiB; ${limit} GiB is the limit. Order fewer bands or a smaller area.`,
    { details: { bytes, limitBytes: maxBytes } },
  );
}

interface Packed {
  readonly viewId: string;
  readonly images: readonly NamedImage[];
  readonly metadata: readonly NamedMetadata[];
}

/** The entries of an archive, each made when the one before is packed. */
async function* packAll(
  { viewId, images, metadata }: Packed,
  folder: string,
  { pool, run }: { readonly pool: ImagePool; readonly run: ExportRun },
): AsyncGenerator<ZipEntry> {
  const toEntryName = makeEntryNames();
  const scene = toPlainName(viewId.replaceAll('/', '-'));
  let done = 0;
  for (const { name, image } of images) {
    const before = done;
    const own = { ...run, onProgress: (blocks: number) => run.onProgress(before + blocks) };
    const entry = toEntryName(`${scene}_${name}`, image.extension);
    for await (const source of packImage(image, folder, own)) yield { name: entry, source };
    done += image.blocks;
  }
  for (const { stem, extension, file } of metadata) {
    const bytes = await readOriginal(file, pool, run.ticket);
    yield { name: toEntryName(stem, extension), source: { bytes, deflate: true } };
    run.onProgress(++done);
  }
}
