import type { SceneStore } from '../../catalog/index.ts';
import { findScene } from '../../catalog/index.ts';
import { badInput, tooLarge } from '../../errors.ts';
import type { PartedCog } from '../../formats/cog/index.ts';
import { estimateCogBytes, estimatePartBytes, planCogParts } from '../../formats/cog/index.ts';
import type { AreaOutline, Grid } from '../../geo/index.ts';
import type { JobRunner } from '../../pool/index.ts';
import { runPatiently } from '../../pool/index.ts';
import type { ComparedScene, CompareScene, FileWatch, NativeBand } from '../../render/index.ts';
import {
  cropGrid,
  estimateWindow,
  planNativeBands,
  shownInput,
  toInputAssets,
  withCurrentFiles,
} from '../../render/index.ts';
import type { Sensor } from '../../sensors/index.ts';
import { findBand, sensorByAbbreviation } from '../../sensors/index.ts';
import { requireAreaWindow } from '../area/export-area.ts';
import type { TopJobs } from '../cog/encode-top.ts';
import { makeEncodeTop } from '../cog/encode-top.ts';
import { writeCog } from '../cog/write-cog.ts';
import type { ExportRun, PlanExport } from '../export.ts';
import type { FileGrid } from '../grids/native-grid.ts';
import { toNativeGrid } from '../grids/native-grid.ts';
import { toFileName } from '../names/file-name.ts';
import type { IndexPartJobs } from './encode-index-part.ts';
import type { IndexOrder } from './index-order.ts';
import type { IndexPlan } from './index-plan.ts';
import { INDEX_NODATA } from './index-plan.ts';
import type { FileExpressions } from './plan-expressions.ts';
import { planFileExpressions } from './plan-expressions.ts';

interface IndexFileDeps {
  readonly scenes: SceneStore;
  readonly compareScene: CompareScene;
  readonly watch: Pick<FileWatch, 'renew'>;
  readonly pool: JobRunner<IndexPartJobs & TopJobs>;
}

/** Pixels of all bands of a file: 16 GiB before compression. */
const MAX_SAMPLES = 2 ** 32;

/** Builds the planning of files of indices. */
export function makePlanIndexFile({
  scenes,
  compareScene,
  watch,
  pool,
}: IndexFileDeps): PlanExport<IndexOrder> {
  return async (order) => {
    const sensor = sensorByAbbreviation(order.sensor);
    if (sensor === null) throw badInput('unknown-sensor', `There is no sensor ${order.sensor}.`);
    const expressions = planFileExpressions(order.expressions, sensor);
    const find = async (): Promise<ComparedScene> => {
      const scene = await findScene(scenes, { viewId: order.viewId, sceneName: order.sceneName, sensor });
      return compareScene(scene, expressions.tree.inputs);
    };
    const planned = await find();
    const file = planIndexFile({ order, sensor, expressions }, planned);
    let isFirst = true;
    return {
      fileName: toFileName({
        viewId: planned.viewId,
        nameAlias: order.nameAlias,
        combination: order.expressions,
        extension: 'TIF',
      }),
      contentType: 'image/tiff',
      estimatedBytes: estimateCogBytes(file.cog),
      blocks: file.cog.blockCount,
      async write(path, run) {
        await withCurrentFiles({
          watch,
          find: () => (isFirst ? Promise.resolve(planned) : find()),
          run: async (scene) => {
            isFirst = false;
            const current = scene === planned ? file : planIndexFile({ order, sensor, expressions }, scene);
            await writeIndexFile(current, path, { pool, run });
          },
        });
      },
    };
  };
}

/** A file that is planned to the last pixel. */
interface IndexFile {
  readonly plan: IndexPlan;
  readonly cog: PartedCog;
  readonly outline: AreaOutline | null;
}

interface IndexRequest {
  readonly order: IndexOrder;
  readonly sensor: Sensor;
  readonly expressions: FileExpressions;
}

/** Decides everything about a file without reading a pixel. */
function planIndexFile({ order, sensor, expressions }: IndexRequest, scene: ComparedScene): IndexFile {
  const { tree, descriptions } = expressions;
  const { area } = order;
  const native = toNativeGrid(toInputAssets(scene, tree));
  const grid = area === null ? native.grid : cropGrid(native.grid, requireAreaWindow(native.grid, area));
  checkSize(grid, tree.outputs.length);
  const bands = planNativeBands(tree, {
    scene,
    sensor,
    calibrated: false,
    grid: native.grid,
    isNative: native.isNative,
  });
  const plan: IndexPlan = { viewId: scene.viewId, sceneVersion: scene.version, grid, bands };
  const outline = area?.kind === 'outline' ? area.outline : null;
  const isOfClasses = tree.outputs.some((_, output) => isClassBand(sensor, tree, output));
  return { plan, outline, cog: planFile(native, grid, descriptions, isOfClasses) };
}

function planFile(
  { crs }: FileGrid,
  { transform, width, height }: Grid,
  descriptions: readonly string[],
  isOfClasses: boolean,
): PartedCog {
  return planCogParts(
    {
      width,
      height,
      bandCount: descriptions.length,
      type: 'float32',
      ...crs,
      transform,
      nodata: INDEX_NODATA,
      // a tenth of the time of zlib's default level, and as small: noise has no repetitions worth searching for
      compression: 'steady-deflate',
      padding: 'flat',
      predictor: 3,
      interleave: 'band',
      overviewMethod: isOfClasses ? 'nearest' : 'average',
      bands: descriptions.map((text) => ({ description: text.slice(0, MAX_DESCRIPTION) })),
    },
    { bandsApart: descriptions.length > 1 },
  );
}

/** Characters that the writer takes. */
const MAX_DESCRIPTION = 1_000;

/** Whether a band of the file shows classes or flags as they are: there is nothing between two of them. */
function isClassBand(sensor: Sensor, tree: FileExpressions['tree'], output: number): boolean {
  const shown = shownInput(tree, output);
  const band = shown === null ? undefined : tree.inputs[shown]?.band;
  return band !== undefined && findBand(sensor, band)?.kind === 'quality';
}

function checkSize({ width, height }: Grid, bandCount: number): void {
  if (width * height * bandCount <= MAX_SAMPLES) return;
  throw tooLarge(
    'file-too-large',
    `The file would have ${bandCount} × ${width} × ${height} pixels; the limit is ${MAX_SAMPLES}.`,
  );
}

/** Computes all parts on the pool. */
async function writeIndexFile(
  { plan, cog, outline }: IndexFile,
  path: string,
  { pool, run }: { readonly pool: IndexFileDeps['pool']; readonly run: ExportRun },
): Promise<void> {
  const { ticket, onProgress } = run;
  await writeCog({
    path,
    cog,
    signal: ticket.signal,
    onProgress,
    encodeTop: makeEncodeTop(pool, cog, ticket),
    encodePart(part, top, signal, room) {
      const { columns } = part.levels[0]!.made;
      const { rows } = part.levels[0]!.own;
      const strip = {
        x: columns.start,
        y: rows.start,
        width: columns.end - columns.start,
        height: Math.min(cog.plan.blockSize, rows.end - rows.start),
      };
      const bytes =
        estimatePartBytes(cog, part) + estimateWindow(plan, plan.bands[part.firstBand] as NativeBand, strip);
      const input = { plan, cog: { plan: cog.plan }, part, top, room, outline };
      return runPatiently(pool, 'export-index-part', input, { ...ticket, bytes, signal });
    },
  });
}
