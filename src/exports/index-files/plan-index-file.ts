import type { TypedTree } from '../../bandmath/index.ts';
import { fileLimits, parseExpressions, splitExpressions, takeOutput } from '../../bandmath/index.ts';
import type { SceneStore } from '../../catalog/index.ts';
import { findScene } from '../../catalog/index.ts';
import { aboutPart } from '../../errors.ts';
import type { PartedCog } from '../../formats/cog/index.ts';
import { estimateCogBytes, estimatePartBytes, planCogParts } from '../../formats/cog/index.ts';
import type { AreaOutline, Grid } from '../../geo/index.ts';
import type { JobRunner } from '../../pool/index.ts';
import { runPatiently } from '../../pool/index.ts';
import type { PixelWindow } from '../../raster/index.ts';
import type { ComparedScene, CompareScene, FileWatch, NativeBand } from '../../render/native/index.ts';
import {
  cropGrid,
  estimatePlanes,
  planNativeInputs,
  planWindow,
  planWindows,
  shownInput,
  withCurrentFiles,
} from '../../render/native/index.ts';
import type { Sensor } from '../../sensors/index.ts';
import { findBand, sensorByAbbreviation, toExpressionNames } from '../../sensors/index.ts';
import { badInput, tooLarge, unsupported } from '../errors.ts';
import type { ExportArea, ExportContent, ExportRun, PlanExport } from '../export.ts';
import { requireAreaWindow, toFileName } from '../export.ts';
import type { FileGrid } from '../georeference.ts';
import { toFileGrid } from '../georeference.ts';
import type { TopJobs } from '../write-cog.ts';
import { makeEncodeTop, writeCog } from '../write-cog.ts';
import type { IndexPartJobs, IndexPlan } from './encode-index-part.ts';
import { INDEX_NODATA } from './encode-index-part.ts';

/** A file of indices, as it is ordered; plain JSON but for the outline of an area. */
export interface IndexOrder {
  readonly viewId: string;
  /** The view id without its sensor, see `SceneName`. */
  readonly sceneName: string;
  /** Abbreviation of the sensor: `S2`. */
  readonly sensor: string;
  /** Bands, aliases or band math: one expression, or several separated by commas. */
  readonly expressions: string;
  /** Whether expressions compute with physical values; absent in orders of version 0.1, which do not. */
  readonly calibrated?: boolean;
  /** The caller's own name for the combination; null for none. */
  readonly nameAlias: string | null;
  /** Null for the whole scene. */
  readonly area: ExportArea | null;
}

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
      describe: async () => toContent(file.plan, expressions),
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

/** What the bands of a file are computed of. */
function toContent(plan: IndexPlan, { descriptions }: FileExpressions): ExportContent {
  const { width, height } = plan.grid;
  return {
    kind: 'pixels',
    images: plan.bands.map((band, i) => ({
      bands: descriptions[i] ?? '',
      plan: planWindow(plan, band, { x: 0, y: 0, width, height }),
      isStored: false,
    })),
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
  const native = toFileGrid(tree, scene);
  const grid = area === null ? native.grid : cropGrid(native.grid, requireAreaWindow(native.grid, area));
  checkSize(grid, tree.outputs.length);
  const inputs = planNativeInputs(tree, {
    scene,
    sensor,
    calibrated: order.calibrated === true,
    grid: native.grid,
    isNative: native.isNative,
  });
  const bands = tree.outputs.map((_, output): NativeBand => {
    const taken = takeOutput(tree, output);
    return { tree: taken.tree, inputs: taken.inputs.map((input) => inputs[input]!) };
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

/** The expressions of a file, and how its bands are described. */
interface FileExpressions {
  readonly tree: TypedTree;
  /** One for each expression. */
  readonly descriptions: readonly string[];
}

/** Reads what a file is to hold: each expression on its own, by the rules of pictures. */
export function planFileExpressions(text: string, sensor: Sensor): FileExpressions {
  try {
    return planTree(text, sensor);
  } catch (error) {
    throw aboutPart('expressions', error);
  }
}

function planTree(text: string, sensor: Sensor): FileExpressions {
  const names = toExpressionNames(sensor);
  const tree = parseExpressions(text, names, fileLimits);
  if (tree.outputs.some(({ uses }) => uses.length === 0)) {
    throw unsupported('no-band', 'An expression names no band, so there is no file of it.');
  }
  if (tree.needsWindow) {
    throw unsupported(
      'needs-window',
      'An expression depends on the pixels around it, so that only pictures can show it.',
    );
  }
  // an alias of several indices is as many bands
  const descriptions = splitExpressions(text).flatMap((part) => {
    const named = names.find(part);
    return named?.kind === 'composite' ? named.of.map(({ name }) => name) : [part];
  });
  return { tree, descriptions };
}

/** Pixel memory of the windows of a band, at most. */
function estimateWindow(plan: IndexPlan, band: NativeBand, window: PixelWindow): number {
  let largest = 0;
  for (const { pixels } of planWindows(plan, band, window))
    largest = Math.max(largest, estimatePlanes(pixels));
  return largest;
}
