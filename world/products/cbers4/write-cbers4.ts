import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addNoise, earthSunDistanceAu, expose, sunAt } from '../../light/index.ts';
import { sin, toRadians } from '../../numbers/steady-math.ts';
import { epsg, frame } from '../../setting.ts';
import type { GridPart } from '../local-window.ts';
import { toLocations } from '../local-window.ts';
import type { ProductDeps } from '../product-deps.ts';
import { findSeen } from '../tilted-box.ts';
import { toStripSeed, writeInStrips } from '../write-in-strips.ts';
import { toBandXml } from './band-xml.ts';
import type { Cbers4Plan, Cbers4Scene } from './plan.ts';
import { toCbers4Scene } from './plan.ts';

/** Writes a scene of CBERS-4: a folder with an image and an XML file for each band. */
export async function writeCbers4(plan: Cbers4Plan, deps: ProductDeps): Promise<void> {
  const scene = toCbers4Scene(plan);
  const { traits, grid, name } = scene;
  const folder = join(deps.directory, name);
  await mkdir(folder, { recursive: true });
  const { x, y, pixelM, width, height } = grid;
  const options = {
    width,
    height,
    epsg,
    bandCount: 1,
    type: traits.type,
    transform: [frame.west + x, pixelM, 0, frame.north - y, 0, -pixelM],
    nodata: 0,
    compression: 'steady-deflate',
    isDurable: false,
    predictor: 2,
  } as const;
  await writeInStrips({
    images: traits.bands.map(({ number }) => ({ path: join(folder, `${name}_BAND${number}.tif`), options })),
    width,
    height,
    develop: makeDeveloper(scene, deps),
    signal: deps.signal,
    onProgress: deps.onProgress,
  });
  for (const { number } of traits.bands) {
    const xml = toBandXml(scene, number, sunAt(plan.atMs));
    await writeFile(join(folder, `${name}_BAND${number}.xml`), xml);
  }
}

/** Stored unit of each band for a reflectance of 1: rho = pi L d² / (ESUN sin(sun elevation)), L = stored * gain. */
function toFactors({ traits, plan: { atMs } }: Cbers4Scene): number[] {
  const distance = earthSunDistanceAu(atMs);
  const sine = sin(toRadians(sunAt(atMs).elevationDeg));
  return traits.bands.map(({ esun, gain }) => (esun * sine) / (Math.PI * distance * distance * gain));
}

function makeDeveloper(scene: Cbers4Scene, { world }: ProductDeps) {
  const { plan, traits, grid, box } = scene;
  const factors = toFactors(scene);
  const bands = traits.bands.map(({ spectral }) => spectral);
  const { width } = grid;
  const makeStored = (length: number) =>
    traits.type === 'uint8' ? new Uint8Array(length) : new Uint16Array(length);

  const takePicture = (part: GridPart) => {
    const survey = world.ground.survey(toLocations(grid, part));
    return expose(world, { survey, atMs: plan.atMs, bands, sky: plan.sky, level: 'top' }).planes;
  };

  return (firstRow: number, rows: number) => {
    const { pixels, firstCol, cols } = findSeen(box, grid, { firstRow, rows });
    const planes = cols === 0 ? [] : takePicture({ firstCol, cols, firstRow, rows });
    return bands.map((_, band) => {
      const stored = makeStored(width * rows);
      const plane = planes[band];
      if (plane === undefined) return [stored];
      addNoise(plane, { ...traits.noise, seed: toStripSeed(plan.seed, firstRow, band) });
      const factor = factors[band]!;
      for (let row = 0, from = 0; row < rows; row++) {
        for (let col = 0, to = row * width + firstCol; col < cols; col++, from++, to++) {
          // 0 says that nothing was measured
          if (pixels[to] === 1) {
            stored[to] = Math.min(traits.maxStored, Math.max(1, Math.round(plane[from]! * factor)));
          }
        }
      }
      return [stored];
    });
  };
}
