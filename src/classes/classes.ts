/** Areas of classes of values: of a scene, of the difference of two, or of mosaics; read and classified on the pool. */
import type { Scene } from '../catalog/index.ts';
import type { AreaOutline, Grid } from '../geo/index.ts';
import type { Mosaic, Mosaics, SourceShare } from '../mosaic/index.ts';
import { finestM, toAreaGrid } from '../mosaic/index.ts';
import type { JobRunner, Ticket } from '../pool/index.ts';
import { cropGrid } from '../render/native/index.ts';
import { sensorByDataset } from '../sensors/index.ts';
import { refuseExpression } from '../zonal/index.ts';
import type { LayerPixels, LayerRequest, ReadLayers } from '../zonal/measuring.ts';
import { toPixelM } from '../zonal/measuring.ts';
import type { ValueLayer } from './classify-pixels.ts';
import { unsupported } from './errors.ts';
import type { ClassesFile, ClassifyJob, ClassJobs } from './write-classes.ts';

/** Scenes whose values are classified. */
export type ClassSource =
  | { readonly kind: 'scene'; readonly viewId: string }
  | { readonly kind: 'mosaic'; readonly mosaic: Omit<Mosaic, 'bands'> };

/** An order of classes. */
export interface ClassesOrder extends Pick<ClassifyJob, 'thresholds' | 'bins' | 'range' | 'minHectares'> {
  readonly outline: AreaOutline;
  readonly source: ClassSource;
  /** What it is compared with, and which is subtracted; null for no comparison. */
  readonly before: {
    readonly source: ClassSource;
    readonly difference: 'before-after' | 'after-before';
  } | null;
  /** Bands, aliases or band math with one value a pixel; of several the first that a source has the bands for. */
  readonly expressions: readonly string[];
  /** Whether pixels under clouds of a scene have no value; mosaics say it themselves. */
  readonly masksClouds: boolean;
  /** Whether the speckle of radar is filtered. */
  readonly filtersSpeckle: boolean;
  /** Pixels of at least so many metres; null for those of the scene. */
  readonly pixelM: number | null;
}

/** A scene whose pixels were used. */
export interface ClassScene {
  readonly viewId: string;
  readonly date: string;
  readonly isBefore: boolean;
}

/** What an answer says about how it was made. */
export interface ClassesMade {
  readonly expression: string;
  readonly scenes: readonly ClassScene[];
  readonly grid: Grid;
}

/** Measures classes. */
export interface ClassMeasurer {
  /** The bytes of the file that `toFile` asks for, once it is known what it is made of. */
  measure(
    order: ClassesOrder,
    toFile: (made: ClassesMade) => ClassesFile,
    ticket: Ticket,
  ): Promise<Uint8Array<ArrayBuffer>>;
}

interface ClassDeps {
  readonly layers: ReadLayers;
  readonly mosaics: Pick<Mosaics, 'plan' | 'readValues'>;
  readonly pool: JobRunner<ClassJobs>;
}

/** Pixels around the area: 2,048 a side, 20 km in pixels of 10 m; a mosaic is put together in one job, of 1,024 a side. */
const MAX_PIXELS = { scene: 2 ** 22, mosaic: 2 ** 20 } as const;
/** Memory of classifying, for each pixel: values, classes, regions of the sieve, labels of patches. */
const CLASSIFY_BYTES_PER_PX = 32;
/** Memory of the corners of polygons. */
const CORNER_BYTES = 64 * 2 ** 20;

/** A source with what reading it needs. */
type Opened =
  | { readonly kind: 'scene'; readonly scene: Scene; readonly expression: string }
  | { readonly kind: 'mosaic'; readonly mosaic: Mosaic; readonly expression: string };

/** Pixels of layers, or of a mosaic. */
interface ClassPixels {
  readonly layer: LayerPixels;
  /** The part around the area. */
  readonly grid: Grid;
}

/** Builds it. */
export function makeClassMeasurer({ layers, mosaics, pool }: ClassDeps): ClassMeasurer {
  async function open(source: ClassSource, expressions: readonly string[]): Promise<Opened> {
    if (source.kind === 'mosaic') {
      const sensors = source.mosaic.search.datasets.map(sensorByDataset).filter((sensor) => sensor !== null);
      const expression = chooseExpression(expressions, (text) =>
        sensors.every((sensor) => refuseExpression(text, sensor) === null),
      );
      return { kind: 'mosaic', mosaic: { ...source.mosaic, bands: expression }, expression };
    }
    const scene = await layers.find(source.viewId);
    const expression = chooseExpression(expressions, (text) => layers.hasBands(scene, text));
    return { kind: 'scene', scene, expression };
  }

  const toRequest = (order: ClassesOrder, expression: string): LayerRequest => ({
    outline: order.outline,
    expression,
    masksClouds: order.masksClouds,
    filtersSpeckle: order.filtersSpeckle,
  });

  async function planScene(
    { scene, expression }: Extract<Opened, { kind: 'scene' }>,
    order: ClassesOrder,
  ): Promise<ClassPixels> {
    const found = await layers.plan(scene, toRequest(order, expression), order.pixelM);
    if (found === null)
      throw unsupported('area-outside-scene', `The area lies outside of the scene ${scene.viewId}.`);
    return { layer: found, grid: cropGrid(found.grid, found.window) };
  }

  function planMosaic({ mosaic }: Extract<Opened, { kind: 'mosaic' }>, order: ClassesOrder): ClassPixels {
    const wantedM = Math.max(order.pixelM ?? 0, finestM(mosaic.search.datasets));
    const grid = toAreaGrid(order.outline, () => wantedM);
    const window = { x: 0, y: 0, width: grid.width, height: grid.height };
    return { layer: { grid, isNative: false, isCoarser: order.pixelM !== null, window }, grid };
  }

  async function read(
    opened: Opened,
    pixels: ClassPixels,
    order: ClassesOrder,
    ticket: Ticket,
  ): Promise<{ readonly layer: ValueLayer; readonly scenes: readonly Omit<ClassScene, 'isBefore'>[] }> {
    if (opened.kind === 'scene') {
      const { scene, expression } = opened;
      const { layer, areaPx } = await layers.read(scene, pixels.layer, toRequest(order, expression), ticket);
      if (areaPx === 0) throw unsupported('area-too-small', 'The area holds the centre of no pixel.');
      const scenes = [{ viewId: scene.viewId, date: scene.acquiredAt.slice(0, 10) }];
      return { layer: { values: layer, mask: null }, scenes };
    }
    const planned = await mosaics.plan({
      ...opened.mosaic,
      grid: pixels.grid,
      options: {
        format: 'png',
        method: pixels.layer.isCoarser ? 'average' : null,
        range: null,
        calibrated: true,
        filtersSpeckle: order.filtersSpeckle,
        isComposite: false,
        color: {},
        area: null,
        watermark: null,
      },
    });
    const { channels, mask, sources } = await mosaics.readValues(planned, order.outline, ticket);
    return { layer: { values: channels[0] as Float32Array, mask }, scenes: toScenes(sources) };
  }

  return {
    async measure(order, toFile, ticket) {
      const now = await open(order.source, order.expressions);
      const before = order.before === null ? null : await open(order.before.source, [now.expression]);
      // The pixels of the scene, or of the one it is compared with: those of a mosaic can be any.
      const gridOf = now.kind === 'scene' || before === null ? now : before;
      const pixels = gridOf.kind === 'scene' ? await planScene(gridOf, order) : planMosaic(gridOf, order);
      const hasMosaic = now.kind === 'mosaic' || before?.kind === 'mosaic';
      refuseLarge(pixels.grid, hasMosaic ? MAX_PIXELS.mosaic : MAX_PIXELS.scene);
      const [later, earlier] = await Promise.all([
        read(now, pixels, order, ticket),
        before === null ? null : read(before, pixels, order, ticket),
      ]);
      const { grid } = pixels;
      const { outline, thresholds, bins, range, minHectares } = order;
      const isReversed = order.before?.difference === 'before-after';
      const file = toFile({
        expression: now.expression,
        grid,
        scenes: [
          ...later.scenes.map((scene) => ({ ...scene, isBefore: false })),
          ...(earlier?.scenes ?? []).map((scene) => ({ ...scene, isBefore: true })),
        ],
      });
      const job: ClassifyJob = {
        layer: earlier !== null && isReversed ? earlier.layer : later.layer,
        minus: earlier === null ? null : isReversed ? later.layer : earlier.layer,
        grid,
        outline,
        thresholds,
        bins,
        range,
        minHectares,
        file,
      };
      const bytes =
        grid.width * grid.height * CLASSIFY_BYTES_PER_PX + (file.kind === 'geojson' ? CORNER_BYTES : 0);
      return (await pool.run('classify-pixels', job, { ...ticket, bytes })).output;
    },
  };
}

/** The first expression that suits; refusals are those of the first. */
const chooseExpression = (expressions: readonly string[], suits: (expression: string) => boolean): string =>
  expressions.find(suits) ?? expressions[0] ?? '';

function refuseLarge(grid: Grid, maxPixels: number): void {
  const pixels = grid.width * grid.height;
  if (pixels <= maxPixels) return;
  const wantedM = toPixelM(grid) * Math.ceil(Math.sqrt(pixels / maxPixels));
  throw unsupported(
    'classes-too-large',
    `The area lies in a rectangle of ${pixels} pixels; classes are measured on ${maxPixels} at most. Pixels of ${wantedM} m would fit: pixel_m.`,
    { details: { suggestion: wantedM } },
  );
}

const toScenes = (sources: readonly SourceShare[]): readonly Omit<ClassScene, 'isBefore'>[] =>
  sources.map(({ hit }) => ({ viewId: hit.viewId, date: hit.acquiredAt.slice(0, 10) }));
