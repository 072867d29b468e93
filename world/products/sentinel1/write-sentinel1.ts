import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ProductDeps } from '../product-deps.ts';
import { writeInStrips } from '../write-in-strips.ts';
import { toAnnotationXml } from './annotation-xml.ts';
import { toCalibrationXml, toNoiseXml } from './calibration-xml.ts';
import { makeRadarDeveloper, polarisations } from './develop-radar.ts';
import { toDegrees, toGeolocationGrid } from './geolocation-grid.ts';
import type { ListedFile } from './manifest.ts';
import { toManifest } from './manifest.ts';
import type { Sentinel1Plan } from './plan.ts';
import { toImageName, toProductFacts } from './product-facts.ts';
import { makeRadarPass } from './radar-pass.ts';
import { toLineOfFactors, toSigmaTable } from './sigma-table.ts';

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
