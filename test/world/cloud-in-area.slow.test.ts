/** Cloud in the area, of fields of the demo world on days of its scenes, against the clouds that the world really has. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Asset, Scene } from '../../src/catalog/index.ts';
import { makeCoverageHere, makeJobsHere } from '../../src/coverage/testing/coverage-here.ts';
import type { PolygonGeometry } from '../../src/geo/index.ts';
import { aTicket } from '../../src/pool/testing/run-here.ts';
import { makeProjection } from '../../src/proj/index.ts';
import type { DemoPart } from '../../world/demo/demo-part.ts';
import { planSet } from '../../world/demo/plan-set.ts';
import { expose } from '../../world/light/index.ts';
import { epsg, frame } from '../../world/setting.ts';
import type { MadeProducts } from './make-products.ts';
import { makeParts } from './make-products.ts';
import { toLocations, toMoment } from './see-product.ts';
import { openWorld } from './shared-world.ts';

interface Source {
  /** The band on whose pixels the product says where clouds are. */
  readonly band: string;
  /** Of its pixels. */
  readonly sideM: number;
  readonly countsCirrus: boolean;
}

const CLASSES: Source = { band: 'SCL', sideM: 20, countsCirrus: false };
const COARSE: Source = { band: 'B01', sideM: 60, countsCirrus: false };
const BITS: Source = { band: 'BQA', sideM: 30, countsCirrus: true };

/** Days of the demo's fields under skies of all kinds, and other products of the same ground. */
const SOURCES: Readonly<Record<string, Source>> = {
  'sentinel2-l2a-2025-08-15-0': CLASSES,
  'sentinel2-l2a-2026-01-21-0': CLASSES,
  'sentinel2-l2a-2026-03-18-0': CLASSES,
  'sentinel2-l2a-2026-05-08-0': CLASSES,
  'sentinel2-l2a-2026-06-21-1': CLASSES,
  'sentinel2-l2a-2026-08-28-0': CLASSES,
  // Polygons, and an image of flags.
  'sentinel2-l1c-2021-09-12-0': COARSE,
  'sentinel2-l1c-2026-06-21-1': COARSE,
  'landsat8-2025-07-14': BITS,
};

let made: MadeProducts;
let parts: ReadonlyMap<string, DemoPart>;
before(async () => {
  const { climate } = await openWorld();
  parts = new Map(planSet('standard', climate).map((part) => [part.key, part]));
  const keys = [...Object.keys(SOURCES), 'landsat7-2008-07-22'];
  made = await makeParts(keys.map((key) => parts.get(key) as DemoPart));
});
after(() => made.folder.remove());

type Ring = readonly (readonly [east: number, south: number])[];

/** A ring in local metres as an area. */
function toArea(ring: Ring): PolygonGeometry {
  const { inverse } = makeProjection(4326, epsg);
  const positions = ring.map(
    ([east, south]) => inverse(frame.west + east, frame.north - south) as [number, number],
  );
  return { type: 'Polygon', coordinates: [positions] };
}

/** Whether a location lies in a ring: by crossings of a ray to the east, in metres. */
function isInside(ring: Ring, x: number, y: number): boolean {
  let isIn = false;
  for (let i = 1; i < ring.length; i += 1) {
    const [[ax, ay], [bx, by]] = [ring[i - 1]!, ring[i]!];
    if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) isIn = !isIn;
  }
  return isIn;
}

/** Fields of the world that lie in an image, from west to east. */
function findFields(asset: Asset): readonly Ring[] {
  const { x, y } = toLocations(asset, 10);
  const bounds = { minX: x[0]!, minY: y[0]!, maxX: x.at(-1)!, maxY: y.at(-1)! };
  return made.world.ground
    .fieldsIn(bounds)
    .map(({ ring }) => ring as Ring)
    .filter((ring) =>
      ring.every(([east, south]) => {
        const [insetX, insetY] = [(bounds.maxX - bounds.minX) / 5, (bounds.maxY - bounds.minY) / 5];
        return (
          east > bounds.minX + insetX &&
          east < bounds.maxX - insetX &&
          south > bounds.minY + insetY &&
          south < bounds.maxY - insetY
        );
      }),
    );
}

/** The world's clouds in a ring, in percent of the pixels of a band whose centres lie in it. */
function makeTruth(key: string, scene: Scene, { band, sideM, countsCirrus }: Source) {
  const marked = scene.assets[band]!;
  const survey = made.world.ground.survey(toLocations(marked, sideM));
  const { opaque, cirrus } = expose(made.world, { survey, bands: [], ...toMoment(parts.get(key)!) });
  // Polygons have corners at pixels of 60 m, and are rasterised on those of 10 m.
  const isPolygons = scene.cloudMask?.kind === 'polygons';
  const asset = isPolygons ? scene.assets.B02! : marked;
  const times = isPolygons ? marked.transform[1] / asset.transform[1] : 1;
  const { x, y } = toLocations(asset, asset.transform[1]);
  return (ring: Ring): number | null => {
    const [xs, ys] = [ring.map((at) => at[0]), ring.map((at) => at[1])];
    const [minX, maxX, minY, maxY] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    let [pixels, clouds] = [0, 0];
    for (let i = 0; i < x.length; i += 1) {
      const [atX, atY] = [x[i]!, y[i]!];
      // Nearly all pixels of the image lie far from the ring.
      if (atX < minX || atX > maxX || atY < minY || atY > maxY) continue;
      if (!isInside(ring, atX, atY)) continue;
      const [col, row] = [i % asset.width, Math.floor(i / asset.width)];
      const at = Math.floor(row / times) * marked.width + Math.floor(col / times);
      pixels += 1;
      if (opaque[at] === 1 || (countsCirrus && cirrus[at] === 1)) clouds += 1;
    }
    return pixels === 0 ? null : Math.round((10_000 * clouds) / pixels) / 100;
  };
}

const MAX_FIELDS = 25;

test("cloud in the area is the world's, for each field and day", async () => {
  const jobs = makeJobsHere(join(made.folder.root, 'no-such-folder'), [made.folder.root]);
  const scenes = [...made.sceneOf.values()];
  const { measure } = makeCoverageHere(jobs, { scenes });
  const kinds = new Set<string>();
  for (const [key, source] of Object.entries(SOURCES)) {
    const scene = made.sceneOf.get(key)!;
    const toTruth = makeTruth(key, scene, source);
    const fields = findFields(scene.assets[source.band]!).slice(0, MAX_FIELDS);
    assert.ok(fields.length >= 3, `${key} shows ${fields.length} fields`);
    for (const ring of fields) {
      const truth = toTruth(ring);
      // Smaller than a pixel: then those count that it touches.
      if (truth === null) continue;
      const [found] = await measure({ hits: [scene], area: toArea(ring) }, aTicket);
      assert.deepEqual(
        [found?.cloudPercent, found?.dataPercent],
        [truth, 100],
        `${key} ${JSON.stringify(ring)}`,
      );
      kinds.add(truth === 0 ? 'clear' : truth === 100 ? 'overcast' : 'broken');
    }
  }
  assert.deepEqual([...kinds].sort(), ['broken', 'clear', 'overcast'], 'the skies differ');
});

test('a sensor that says nothing of single pixels has the data of a field, and no clouds', async () => {
  const scene = made.sceneOf.get('landsat7-2008-07-22')!;
  const jobs = makeJobsHere(join(made.folder.root, 'no-such-folder'), [made.folder.root]);
  const { measure } = makeCoverageHere(jobs, { scenes: [scene] });
  const [ring] = findFields(scene.assets.B3!);
  const [found] = await measure({ hits: [scene], area: toArea(ring!) }, aTicket);
  assert.deepEqual([found?.cloudPercent, found?.problem?.code], [null, 'no-cloud-mask']);
  assert.equal(typeof found?.dataPercent, 'number');
});
