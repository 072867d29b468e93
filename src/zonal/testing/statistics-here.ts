import { join } from 'node:path';
import { makeBlockCache, makeThreadTools } from '../../blocks/index.ts';
import type { Asset, NewScene, Scene } from '../../catalog/index.ts';
import { toScene } from '../../catalog/index.ts';
import { makeScene } from '../../catalog/testing/make-scene.ts';
import { writeCogFile } from '../../formats/cog/testing/write-cog.ts';
import type { MultiPolygonGeometry } from '../../geo/index.ts';
import { LON_LAT_GRID, outlineBounds, toOutline } from '../../geo/index.ts';
import type { JobContext } from '../../pool/index.ts';
import { makePixelMapping } from '../../proj/index.ts';
import type { Sensor } from '../../sensors/index.ts';
import { sensorByDataset } from '../../sensors/index.ts';
import { makeStatisticsJobs } from '../measure-scene.ts';
import type { MeasuredArea, PlannedScene } from '../plan-scene.ts';
import { planScene } from '../plan-scene.ts';
import type { Measured } from '../statistics-order.ts';

/** Where pixels of 10 m of test scenes begin. */
const ORIGIN = [500_000, 4_700_000] as const;

/** A band of a test scene. */
export interface TestBand {
  readonly width: number;
  readonly height: number;
  readonly pixelM: number;
  valueAt(col: number, row: number): number;
}

/** The georeference of a test band. */
export const toTestAsset = (name: string, { width, height, pixelM }: Omit<TestBand, 'valueAt'>): Asset => ({
  href: `${name}.tif`,
  bandIndex: 0,
  epsg: 32_631,
  transform: [ORIGIN[0], pixelM, 0, ORIGIN[1], 0, -pixelM],
  width,
  height,
  type: 'uint16',
  nodata: 0,
  scale: 0.0001,
  offset: 0,
  overviews: [],
});

/** Writes the bands of a scene; 0 means no data, and 10,000 a reflectance of 1. */
export async function writeTestScene(
  folder: string,
  bands: Readonly<Record<string, TestBand>>,
  more: Partial<NewScene> = {},
): Promise<Scene> {
  const assets: Record<string, Asset> = {};
  for (const [band, test] of Object.entries(bands)) {
    const { width, height, valueAt } = test;
    const name = `${(more.viewId ?? 'scene').replaceAll('/', '-')}-${band}`;
    const asset = toTestAsset(name, test);
    const pixels = new Uint16Array(width * height).map((_, i) => valueAt(i % width, Math.floor(i / width)));
    const { epsg, transform, type } = asset;
    await writeCogFile(
      join(folder, asset.href),
      {
        width,
        height,
        bandCount: 1,
        type,
        epsg,
        transform,
        nodata: 0,
        compression: 'none',
        predictor: 1,
        blockSize: 256,
        overviews: 'none',
      },
      [pixels],
      height,
    );
    assets[band] = band === 'SCL' ? { ...asset, scale: 1 } : asset;
  }
  return toScene(makeScene(1, { ...more, assets }));
}

/** Lines that are straight in degrees are bent in pixels: over so few, by next to nothing. */
const PIECE_PX = 50;

function inShortPieces(
  corners: readonly (readonly [number, number])[],
): readonly (readonly [number, number])[] {
  const points = corners.slice(1).flatMap(([toCol, toRow], i) => {
    const [col, row] = corners[i] as readonly [number, number];
    const pieces = Math.ceil(Math.max(Math.abs(toCol - col), Math.abs(toRow - row)) / PIECE_PX);
    return Array.from({ length: pieces }, (_, piece) => {
      const share = piece / pieces;
      return [col + share * (toCol - col), row + share * (toRow - row)] as const;
    });
  });
  return [...points, corners[0] as readonly [number, number]];
}

/** The area of some rectangles, in pixels of 10 m of the test scenes. */
export function toTestArea(
  ...boxes: readonly (readonly [left: number, top: number, right: number, bottom: number])[]
): MeasuredArea {
  const grid = toTestAsset('', { width: 1, height: 1, pixelM: 10 });
  const { toTarget } = makePixelMapping(LON_LAT_GRID, grid);
  const geometry: MultiPolygonGeometry = {
    type: 'MultiPolygon',
    coordinates: boxes.map(([left, top, right, bottom]) => {
      const corners = [
        [left, top],
        [right, top],
        [right, bottom],
        [left, bottom],
        [left, top],
      ] as const;
      return [inShortPieces(corners).map(([col, row]) => toTarget(col, row) as [number, number])];
    }),
  };
  const outline = toOutline(geometry);
  const { west, south, east, north } = outlineBounds(outline);
  return {
    geometry,
    outline,
    bounds: { minX: west, minY: south, maxX: east, maxY: north },
    key: JSON.stringify(boxes),
  };
}

/** What is measured in a test. */
export interface TestRequest {
  readonly scene: Scene;
  readonly expressions: readonly string[];
  readonly area: MeasuredArea;
  readonly masksClouds?: boolean;
  readonly level?: 1 | 2 | 3 | 4 | null;
  readonly classified?: Scene | null;
}

const sensorOf = ({ dataset }: Scene): Sensor => {
  const sensor = sensorByDataset(dataset);
  if (sensor === null) throw new Error(`no sensor has ${dataset}`);
  return sensor;
};

/** Plans a scene without a histogram. */
export function planTestScene(request: TestRequest): PlannedScene | null {
  const { scene, expressions, area, masksClouds = false, level = null, classified = null } = request;
  return planScene({
    scene,
    sensor: sensorOf(scene),
    expressions,
    area,
    masksClouds,
    level,
    histogram: null,
    classified: classified === null ? null : { scene: classified, sensor: sensorOf(classified) },
  });
}

/** Measures scenes whose files lie in a folder, on this thread. */
export function makeMeasureHere(folder: string) {
  const files = { dataDir: folder, folders: [] };
  const jobs = makeStatisticsJobs(makeThreadTools({ files, blocks: makeBlockCache(64 * 2 ** 20).handle }));
  const context: JobContext = {
    signal: new AbortController().signal,
    cancelled: () => false,
    report: () => {},
  };
  return async (request: TestRequest): Promise<readonly Measured[]> => {
    const planned = planTestScene(request);
    if (planned === null) throw new Error('the area lies outside the scene');
    const measured = (await jobs['scene-statistics'](planned.job, context)) as readonly Measured[];
    return request.expressions.map((_, i) => measured[planned.order.indexOf(i)] as Measured);
  };
}

/** Pixels of a side of `writeThirds`, of 10 m. */
export const THIRDS_PX = 60;
const [CLOUD, PLANTS] = [9, 4];

/** A scene whose left third is low, then middle, then high; clouds over columns of 20 m from `clouds` on. */
export const writeThirds = (
  folder: string,
  { clouds, gain, day, ...more }: Partial<NewScene> & ThirdsOptions,
): Promise<Scene> =>
  writeTestScene(
    folder,
    {
      B04: {
        width: THIRDS_PX,
        height: THIRDS_PX,
        pixelM: 10,
        valueAt: (col) => gain * (1 + Math.floor(col / 20)),
      },
      SCL: {
        width: THIRDS_PX / 2,
        height: THIRDS_PX / 2,
        pixelM: 20,
        valueAt: (col) => (col >= clouds ? CLOUD : PLANTS),
      },
    },
    {
      viewId: `S2L2A/31/T/DH/2026/6/${day}/0`,
      dataset: 'sentinel2l2a',
      acquiredAt: `2026-06-0${day}T10:00:00Z`,
      cloudMask: { kind: 'classes', band: 'SCL' },
      ...more,
    },
  );

interface ThirdsOptions {
  readonly clouds: number;
  readonly gain: number;
  /** Of June 2026, from 1 to 9. */
  readonly day: number;
}
