import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Locations } from '../../ground/ground.ts';
import { backscatter } from '../../light/index.ts';
import { frame } from '../../setting.ts';
import type { ProductDeps } from '../product-deps.ts';
import { toStripSeed, writeInStrips } from '../write-in-strips.ts';
import { toAnnotationXml, toDegrees, toGeolocationGrid } from './annotation-xml.ts';
import { toCalibrationXml, toLineOfFactors, toNoiseXml, toSigmaTable } from './calibration-xml.ts';
import type { ListedFile } from './manifest.ts';
import { toManifest } from './manifest.ts';
import type { RadarPass, Sentinel1Plan } from './plan.ts';
import { makeRadarPass } from './plan.ts';
import { toImageName, toProductFacts } from './product-facts.ts';

/** Writes a GRD product of Sentinel-1 as a SAFE folder: images in the radar's geometry, with control points alone. */
export async function writeSentinel1(plan: Sentinel1Plan, deps: ProductDeps): Promise<void> {
  const pass = makeRadarPass(plan);
  const facts = toProductFacts(plan, pass);
  const grid = toGeolocationGrid(pass, deps.world);
  const table = toSigmaTable(pass);
  const { width, height } = pass;
  const folder = join(deps.directory, `${facts.name}.SAFE`);
  await mkdir(join(folder, 'measurement'), { recursive: true });
  await mkdir(join(folder, 'annotation', 'calibration'), { recursive: true });

  const developer = makeRadarDeveloper({ plan, pass, factors: toLineOfFactors(table, width) }, deps);
  const names = polarisations.map((polarisation) => toImageName(facts, polarisation));
  const options = {
    width,
    height,
    bandCount: 1,
    type: 'uint16',
    epsg: 4326,
    transform: null,
    // the annotation counts from the middle of pixels, control points from their corner
    controlPoints: grid.map(({ line, pixel, lon, lat, heightM }) => ({
      column: pixel + 0.5,
      row: line + 0.5,
      x: lon,
      y: lat,
      z: heightM,
    })),
    nodata: 0,
    compression: 'steady-deflate',
    isDurable: false,
    predictor: 2,
  } as const;
  const results = await writeInStrips({
    images: names.map((name) => ({ path: join(folder, 'measurement', `${name}.tiff`), options })),
    width,
    height,
    develop: developer.develop,
    signal: deps.signal,
    onProgress: deps.onProgress,
  });

  const files: ListedFile[] = [];
  for (const [i, polarisation] of polarisations.entries()) {
    const name = names[i]!;
    const shared = { facts, polarisation, table };
    const annotation = toAnnotationXml({
      facts,
      pass,
      grid,
      polarisation,
      direction: plan.pass,
      ...developer.statistics(i),
    });
    const texts = [
      { kind: 'product', path: `annotation/${name}.xml`, text: annotation },
      { kind: 'noise', path: `annotation/calibration/noise-${name}.xml`, text: toNoiseXml(shared, pass) },
      {
        kind: 'calibration',
        path: `annotation/calibration/calibration-${name}.xml`,
        text: toCalibrationXml(shared),
      },
    ] as const;
    for (const { kind, path, text } of texts) {
      await writeFile(join(folder, path), text);
      files.push({ kind, path, sizeBytes: Buffer.byteLength(text), md5: toMd5(text) });
    }
    const path = `measurement/${name}.tiff`;
    files.push({
      kind: 'measurement',
      path,
      sizeBytes: results[i]!.size,
      md5: await readMd5(join(folder, path)),
    });
  }
  const corners = [
    pass.toLocal(-0.5, -0.5),
    pass.toLocal(-0.5, width - 0.5),
    pass.toLocal(height - 0.5, width - 0.5),
    pass.toLocal(height - 0.5, -0.5),
  ].map(([x, y]) => toDegrees(x, y));
  await writeFile(join(folder, 'manifest.safe'), toManifest({ facts, direction: plan.pass, files, corners }));
}

const toMd5 = (text: string): string => createHash('md5').update(text).digest('hex');

async function readMd5(path: string): Promise<string> {
  const hash = createHash('md5');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** The polarisations of a product, in the order of its images. */
const polarisations = ['VV', 'VH'] as const;

/** Makes lines of amplitudes; counts what it makes. */
interface RadarDeveloper {
  develop(firstLine: number, lines: number): readonly (readonly [Uint16Array])[];
  /** Mean and standard deviation of what was stored for a polarisation, nothing measured left out. */
  statistics(index: number): { readonly mean: number; readonly deviation: number };
}

/** Independent looks of a real pixel, and the side of the ground that its echoes come from. */
const LOOKS = 4.4;
const RESOLUTION_M = 20;
const MAX_STORED = 65_535;

/** Makes the developer of a product: amplitude = sqrt(sigma nought) times the factor of the pixel. */
function makeRadarDeveloper(
  { plan, pass, factors }: { plan: Sentinel1Plan; pass: RadarPass; factors: Float64Array },
  { world }: ProductDeps,
): RadarDeveloper {
  const { width, spacingM } = pass;
  const incidence = new Float32Array(width).map((_, pixel) => pass.incidenceDegAt(pixel));
  // coarser pixels are means of echoes that are independent beyond the resolution
  const looks = LOOKS * Math.max(1, (spacingM / RESOLUTION_M) ** 2);
  const sums = polarisations.map(() => ({ count: 0, total: 0, squares: 0 }));

  return {
    develop(firstLine, lines) {
      const locations = toLocations(pass, firstLine, lines);
      const survey = world.ground.survey(locations);
      const incidenceDeg = new Float32Array(width * lines);
      for (let line = 0; line < lines; line++) incidenceDeg.set(incidence, line * width);
      return polarisations.map((polarisation, index) => {
        const sigma = backscatter(world, {
          survey,
          polarisation,
          incidenceDeg,
          looks,
          atMs: plan.atMs,
          lookAzimuthDeg: pass.lookAzimuthDeg,
          seed: toStripSeed(plan.seed, firstLine, index),
        });
        const stored = new Uint16Array(sigma.length);
        const sum = sums[index]!;
        for (let i = 0; i < stored.length; i++) {
          if (isBeyondWorld(locations.x[i]!, locations.y[i]!)) continue;
          const amplitude = Math.round(Math.sqrt(Math.max(0, sigma[i]!)) * factors[i % width]!);
          // 0 says that nothing was measured
          const value = Math.min(MAX_STORED, Math.max(1, amplitude));
          stored[i] = value;
          sum.count++;
          sum.total += value;
          sum.squares += value * value;
        }
        return [stored] as const;
      });
    },
    statistics(index) {
      const { count, total, squares } = sums[index]!;
      const mean = count === 0 ? 0 : total / count;
      return { mean, deviation: count === 0 ? 0 : Math.sqrt(Math.max(0, squares / count - mean * mean)) };
    },
  };
}

function toLocations(pass: RadarPass, firstLine: number, lines: number): Locations {
  const { width, spacingM } = pass;
  const x = new Float64Array(width * lines);
  const y = new Float64Array(width * lines);
  for (let line = 0; line < lines; line++) pass.fillLine(firstLine + line, { x, y }, line * width);
  return { width, height: lines, x, y, sideM: spacingM };
}

const isBeyondWorld = (x: number, y: number): boolean => x < 0 || y < 0 || x > frame.sizeM || y > frame.sizeM;
