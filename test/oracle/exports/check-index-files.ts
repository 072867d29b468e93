/**
 * Makes files of indices of every sensor of the demo world, and has GDAL and NumPy make them again:
 *   npm run oracle exports
 * Needs a Python with GDAL and its utilities: see `findPython`.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { makeBlockCache, makeThreadTools } from '../../../src/blocks/index.ts';
import type { Scene, SceneStore } from '../../../src/catalog/index.ts';
import type { ExportArea, ExportJobs } from '../../../src/exports/index.ts';
import { makeExportJobs, makePlanIndexFile } from '../../../src/exports/index.ts';
import type { AreaGeometry } from '../../../src/geo/index.ts';
import { areaBounds, LON_LAT_GRID, toOutline } from '../../../src/geo/index.ts';
import { aTicket, makeRunnerHere } from '../../../src/pool/testing/run-here.ts';
import { makePixelMapping } from '../../../src/proj/index.ts';
import { findBand, parseViewId, sensorByDataset } from '../../../src/sensors/index.ts';
import { makeProducts } from '../../world/make-products.ts';
import { smallProducts } from '../../world/small-products.ts';
import { findPython } from '../tiff/find-python.ts';
import type { IndexCase } from './index-cases.ts';
import { indexCases } from './index-cases.ts';
import { writeLargeScene } from './large-scene.ts';

const keys = smallProducts.map(({ part }) => part.key);
const results = mkdtempSync(join(tmpdir(), 'swath-index-files-'));
const { folder, sceneOf } = await makeProducts(keys);
let status: number | null = 1;
try {
  const large = await writeLargeScene(folder.root);
  const files = { dataDir: join(folder.root, 'no-such-folder'), folders: [folder.root] };
  const tools = makeThreadTools({ files, blocks: makeBlockCache(32 * 2 ** 20).handle });
  const pool = makeRunnerHere<ExportJobs>(makeExportJobs(tools));
  const jobs: object[] = [];
  const make = async (scene: Scene, wanted: IndexCase): Promise<void> => {
    jobs.push(await makeFile({ scene, wanted, pool, path: join(results, `${jobs.length}.tif`) }));
  };
  for (const wanted of indexCases) {
    for (const key of keys.filter((one) => one.startsWith(wanted.products))) {
      await make(sceneOf.get(key) as Scene, wanted);
    }
  }
  const numpy = ['(B08-B04)/(B08+B04)'];
  for (const crop of [undefined, 'bounds', 'outline'] as const) {
    const wanted = { products: 'large', expressions: 'NDVI', numpy, ...(crop === undefined ? {} : { crop }) };
    await make(large, wanted);
  }
  const script = resolve(import.meta.dirname, 'judge_index_files.py');
  const judged = spawnSync(findPython(), ['-B', script], {
    input: JSON.stringify({ jobs }),
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  status = judged.status;
} finally {
  rmSync(results, { recursive: true, force: true });
  await folder.remove();
}
process.exit(status ?? 1);

interface Making {
  readonly scene: Scene;
  readonly wanted: IndexCase;
  readonly pool: Parameters<typeof makePlanIndexFile>[0]['pool'];
  readonly path: string;
}

/** Makes a file as a task does; returns all that is needed to make it again. */
async function makeFile({ scene, wanted, pool, path }: Making): Promise<object> {
  const sensor = sensorByDataset(scene.dataset);
  if (sensor === null) throw new Error(`no sensor has ${scene.dataset}`);
  const plan = makePlanIndexFile({
    scenes: { findByViewId: async () => scene } as unknown as SceneStore,
    compareScene: async (found) => found,
    watch: { renew: async () => {} },
    pool,
  });
  const geometry = wanted.crop === undefined ? null : toArea(scene, wanted.crop);
  const { expressions } = wanted;
  const planned = await plan({
    viewId: scene.viewId,
    sceneName: parseViewId(scene.viewId).sceneName,
    sensor: sensor.abbreviation,
    expressions,
    nameAlias: null,
    area: geometry === null ? null : toExportArea(geometry, wanted.crop === 'bounds'),
  });
  await planned.write(path, { ticket: { ...aTicket, lane: 'task' }, onProgress() {} });
  const names = Object.keys(scene.assets).filter((name) =>
    wanted.numpy.some((text) => new RegExp(`\\b${name}\\b`).test(text)),
  );
  return {
    name: `${planned.fileName} ${wanted.crop ?? ''}`,
    path,
    sensor: sensor.abbreviation,
    isPhysical: wanted.isPhysical === true,
    isAveraged: expressions !== 'SCL',
    numpy: wanted.numpy,
    descriptions:
      expressions === 'ISTACK' ? ['NDVI', 'NDWI', 'NDSI'] : expressions.split(',').map((text) => text.trim()),
    bands: Object.fromEntries(
      names.map((name) => {
        const { href, bandIndex } = scene.assets[name]!;
        return [
          name,
          {
            path: isAbsolute(href) ? href : join(folder.root, href),
            index: bandIndex,
            isClasses: findBand(sensor, name)?.kind === 'quality',
          },
        ];
      }),
    ),
    ...(geometry === null ? {} : { extent: edgePoints(geometry) }),
    ...(wanted.crop === 'outline' ? { outline: geometry } : {}),
  };
}

function toExportArea(geometry: AreaGeometry, isBounds: boolean): ExportArea {
  if (!isBounds) return { kind: 'outline', outline: toOutline(geometry) };
  const { west, south, east, north } = areaBounds(geometry);
  return { kind: 'bounds', bounds: { minX: west, minY: south, maxX: east, maxY: north } };
}

/** A rectangle in degrees, or a star with a hole, over the middle third of a scene. */
function toArea(scene: Scene, kind: 'bounds' | 'outline'): AreaGeometry {
  const [asset] = Object.values(scene.assets);
  if (asset === undefined) throw new Error('a scene without bands');
  const { toTarget } = makePixelMapping(LON_LAT_GRID, asset);
  const { width, height } = asset;
  const [lon, lat] = toTarget(width * 0.51, height * 0.48);
  const [farLon, farLat] = toTarget(width * 0.83, height * 0.17);
  const [wide, high] = [Math.abs(farLon - lon), Math.abs(farLat - lat)];
  const ring = (factor: number, radii: readonly number[]): [number, number][] => {
    const spots = radii.map((radius, i): [number, number] => {
      const angle = (2 * Math.PI * (i + 0.5)) / radii.length;
      return [lon + factor * radius * wide * Math.cos(angle), lat + factor * radius * high * Math.sin(angle)];
    });
    return [...spots, spots[0]!];
  };
  if (kind === 'outline') {
    const star = [1, 0.5, 0.9, 0.6, 1, 0.45, 0.8, 0.55];
    return { type: 'Polygon', coordinates: [ring(1, star), ring(0.3, star)] };
  }
  const [west, south, east, north] = [lon - wide, lat - high, lon + wide, lat + high];
  const corners: [number, number][] = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  return { type: 'Polygon', coordinates: [corners] };
}

/** Points along the edges of an area, which are straight in degrees. */
function edgePoints(geometry: AreaGeometry): [number, number][] {
  const rings = geometry.type === 'Polygon' ? geometry.coordinates : geometry.coordinates.flat();
  return rings.flatMap((ring) =>
    ring.slice(1).flatMap((to, i) => {
      const from = ring[i]!;
      return Array.from({ length: 101 }, (_, step): [number, number] => [
        from[0] + ((to[0] - from[0]) * step) / 100,
        from[1] + ((to[1] - from[1]) * step) / 100,
      ]);
    }),
  );
}
