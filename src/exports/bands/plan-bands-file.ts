import { dirname } from 'node:path';
import type { Scene, SceneStore } from '../../catalog/index.ts';
import { findScene } from '../../catalog/index.ts';
import type { StoredFile } from '../../formats/block-file/index.ts';
import { writeZip } from '../../formats/zip.ts';
import type { JobTicket } from '../../pool/index.ts';
import type { FileWatch } from '../../render/native/index.ts';
import { withCurrentFiles } from '../../render/native/index.ts';
import type { Sensor } from '../../sensors/index.ts';
import { sensorByAbbreviation, sensorByDataset } from '../../sensors/index.ts';
import { notFound, tooLarge } from '../errors.ts';
import type { ExportArea, PlanExport, PlannedExport } from '../export.ts';
import { toFileName, toOutside } from '../export.ts';
import { toRecordedFile } from './bands-jobs.ts';
import type { BandGroup, GroupPixels } from './choose-bands.ts';
import { chooseBands, groupBands, planPixels } from './choose-bands.ts';
import type { OrderedMetadata } from './metadata-files.ts';
import { planMetadata } from './metadata-files.ts';
import type { Archive, NamedImage, NamedMetadata } from './pack-archive.ts';
import { packArchive, toMetadataName } from './pack-archive.ts';
import type { ImagePool } from './plan-image.ts';
import { planImage } from './plan-image.ts';
import type { PlannedImage } from './planned-image.ts';
import { writeImage } from './planned-image.ts';
import { toStoredContent } from './stored-content.ts';

/** Bands as they were delivered, whole or cropped. Plain JSON, except that an outline is an array of numbers. */
export interface BandsOrder {
  readonly viewId: string;
  /** The view id without its sensor. */
  readonly sceneName: string;
  /** Abbreviation of the sensor. */
  readonly sensor: string;
  /** Names, other spellings or roles of bands of the sensor. */
  readonly bands: readonly string[];
  /** Whether bands of the same resolution go into one file. */
  readonly merge: boolean;
  readonly metadata: readonly OrderedMetadata[];
  /** Null for the whole scene. */
  readonly area: ExportArea | null;
}

interface BandsFileDeps {
  readonly scenes: SceneStore;
  readonly watch: FileWatch;
  readonly pool: ImagePool;
  /** Limit of the estimated file size; 4 GiB by default. */
  readonly maxBytes?: number;
}

/**
 * Builds the planning of files with bands of a scene as they were delivered: stored numbers are never changed. Outside
 * an outline they are the nodata value, or 0 where the bands have none.
 */
export function makePlanBandsFile({ scenes, watch, pool, maxBytes }: BandsFileDeps): PlanExport<BandsOrder> {
  const find = async ({ viewId, sceneName, sensor: abbreviation }: BandsOrder): Promise<Scene> => {
    const sensor = sensorByAbbreviation(abbreviation);
    if (sensor === null) throw notFound('unknown-scene', 'There is no such scene.');
    return watch.check(await findScene(scenes, { viewId, sceneName, sensor }));
  };
  return async (order) => {
    const planScene = (scene: Scene) => planSceneFile(order, scene, { pool, maxBytes });
    const { scene, planned } = await withCurrentFiles({
      watch,
      find: () => find(order),
      run: async (scene) => ({ scene, planned: await planScene(scene) }),
    });
    return {
      ...planned,
      async write(path, run) {
        let isFirst = true;
        await withCurrentFiles({
          watch,
          find: () => (isFirst ? Promise.resolve(scene) : find(order)),
          // Files that were replaced since then are planned again: the order is for what is there now.
          async run(current) {
            isFirst = false;
            const file = current === scene ? planned : await planScene(current);
            await file.write(path, run);
          },
        });
      },
    };
  };
}

const GIB = 2 ** 30;

/** Someone waits for the plan, and there is no key yet whose turn it could be. */
const PLANNING: JobTicket = {
  owner: 'exports',
  lane: 'tile',
  timeoutMs: 30_000,
  // headers and block indexes of all files of an order
  bytes: 32 * 2 ** 20,
};

/** Plans the file of an order of a scene as its files are now. */
async function planSceneFile(
  order: BandsOrder,
  scene: Scene,
  { pool, maxBytes = 4 * GIB }: { readonly pool: ImagePool; readonly maxBytes?: number | undefined },
): Promise<PlannedExport> {
  const sensor = sensorByDataset(scene.dataset) as Sensor;
  const bands = chooseBands(order.bands, sensor, scene);
  // All bands of NAIP are in one file anyway.
  const isMerged = order.merge || sensor.family === 'naip';
  const groups = groupBands(bands, isMerged).map((group) => planPixels(group, order.area));
  const metadata = await findMetadata(order, scene, pool);
  await checkOutline(groups, order.area, pool);
  const files = await readFiles(groups, pool);
  const kind = planKind(sensor, order, groups);
  const images = groups.map((group): NamedImage => {
    const [{ band }] = group.bands;
    const image = planImage(
      {
        ...group,
        files: group.bands.map(({ asset }) => files.get(asset.href)!),
        record: { name: scene.viewId, version: scene.version },
        outline: order.area?.kind === 'outline' ? order.area.outline : null,
        jp2: kind === 'jp2' ? 'always' : isMerged ? 'never' : 'original',
      },
      pool,
    );
    return { name: isMerged ? `${band.resolutionM}m` : band.name, image };
  });
  const describe = async () => toStoredContent(groups, { scene, sensor });
  const what = { viewId: scene.viewId, describe, combination: bands.map(({ band }) => band.name).join('-') };
  const planned =
    kind === 'zip'
      ? toArchiveExport({ viewId: scene.viewId, images, metadata }, what, pool)
      : toImageExport(images[0]!.image, what);
  checkSize(planned.estimatedBytes, maxBytes);
  return planned;
}

/** Refuses an outline that has no pixel in one of the files. */
async function checkOutline(groups: readonly GroupPixels[], area: ExportArea | null, pool: ImagePool) {
  if (area?.kind !== 'outline') return;
  for (const { grid } of groups) {
    const { output: hasPixels } = await pool.run('export-area', { outline: area.outline, grid }, PLANNING);
    if (!hasPixels) throw toOutside();
  }
}

/** How the files of all bands are stored, by their addresses. */
async function readFiles(groups: readonly BandGroup[], pool: ImagePool) {
  const files = new Map(
    groups.flatMap(({ bands }) => bands.map(({ asset }) => [asset.href, toRecordedFile(asset)] as const)),
  );
  const { output } = await pool.run('export-files', { files: [...files.values()] }, PLANNING);
  return new Map<string, StoredFile>([...files.keys()].map((href, i) => [href, output[i]!]));
}

async function findMetadata(order: BandsOrder, scene: Scene, pool: ImagePool): Promise<NamedMetadata[]> {
  const job = planMetadata(order.metadata, scene);
  if (job.files.length === 0) return [];
  const { output } = await pool.run('export-metadata', job, PLANNING);
  return order.metadata.map(({ label, url }, i) => ({ name: toMetadataName(label, url), file: output[i]! }));
}

/** What a file is, by the rule of the interface; metadata of a single band of Sentinel-2 are not included. */
type FileKind = 'jp2' | 'tiff' | 'zip';

function planKind(sensor: Sensor, { bands, metadata }: BandsOrder, groups: readonly BandGroup[]): FileKind {
  if (bands.length === 1 && sensor.family === 'sentinel-2') return 'jp2';
  return groups.length === 1 && metadata.length === 0 ? 'tiff' : 'zip';
}

/** What a file holds, and how that is called. */
interface FileContent {
  readonly viewId: string;
  readonly combination: string;
  readonly describe: PlannedExport['describe'];
}

function toImageExport(image: PlannedImage, { describe, ...what }: FileContent): PlannedExport {
  const { extension, estimatedBytes, blocks } = image;
  return {
    fileName: toFileName({ ...what, nameAlias: null, extension }),
    describe,
    contentType: extension === 'jp2' ? 'image/jp2' : 'image/tiff',
    estimatedBytes: Math.ceil(estimatedBytes),
    blocks,
    write: (path, run) => writeImage(image, path, run),
  };
}

function toArchiveExport(
  archive: Archive,
  { combination, describe }: FileContent,
  pool: ImagePool,
): PlannedExport {
  const { viewId, images, metadata } = archive;
  const imageBytes = images.reduce((sum, { image }) => sum + image.estimatedBytes, 0);
  const metadataBytes = metadata.reduce((sum, { file }) => sum + file.size, 0);
  return {
    fileName: toFileName({ viewId, combination, nameAlias: null, extension: 'zip' }),
    contentType: 'application/zip',
    describe,
    estimatedBytes: Math.ceil(imageBytes + metadataBytes),
    blocks: images.reduce((sum, { image }) => sum + image.blocks, metadata.length),
    async write(path, run) {
      const entries = packArchive(archive, { folder: dirname(path), pool, run });
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
