import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeJp2Encoder } from '../../../src/formats/jp2/index.ts';
import { makeClimate } from '../../../world/climate/climate.ts';
import { writePart } from '../../../world/demo/demo-part.ts';
import { makeGround } from '../../../world/ground/index.ts';
import { WORLD_SEED } from '../../../world/ground/world.ts';
import type { GeneratedSource } from './dem-sources.ts';
import { generatedSources } from './dem-sources.ts';

/** An elevation model to compare. */
export interface DemSource {
  readonly name: string;
  /** The data directory that its catalog goes to. */
  readonly dataDir: string;
  /** What to ingest: a folder or an image. */
  readonly from: string;
  /** A folder outside of the data directory that its files lie in. */
  readonly folder?: string;
  readonly gaps?: 'sea';
  readonly spots: readonly (readonly [lon: number, lat: number])[];
}

/** Makes elevation models below a folder: those of GDAL, that of the demo world, and the given real ones. */
export async function makeSources(
  folder: string,
  options: { readonly python: string; readonly real: string | undefined; readonly words: readonly string[] },
): Promise<readonly DemSource[]> {
  const { words } = options;
  const isWanted = (name: string): boolean => words.length === 0 || words.some((word) => name.includes(word));
  const generated = generatedSources.filter(({ name }) => isWanted(name));
  writeGenerated(folder, options.python, generated);
  const made = generated.map((source): DemSource => {
    const dataDir = join(folder, source.name);
    const { name, gaps, spots } = source;
    return { name, dataDir, from: join(dataDir, 'dem'), spots, ...(gaps === undefined ? {} : { gaps }) };
  });
  const world = isWanted('demo-world') ? [await makeWorldSource(folder)] : [];
  const real = findReal(folder, options.real ?? '').filter(({ name }) => isWanted(name));
  return [...made, ...world, ...real];
}

function writeGenerated(folder: string, python: string, sources: readonly GeneratedSource[]): void {
  if (sources.length === 0) return;
  const script = fileURLToPath(new URL('write_dems.py', import.meta.url));
  execFileSync(python, ['-B', script, folder], { input: JSON.stringify(sources) });
}

/** The terrain of the demo world, with its voids, spikes and stair-steps. */
async function makeWorldSource(folder: string): Promise<DemSource> {
  const dataDir = join(folder, 'demo-world');
  const directory = join(dataDir, 'dem');
  mkdirSync(directory, { recursive: true });
  const climate = makeClimate(WORLD_SEED);
  const world = { climate, ground: makeGround({ seed: WORLD_SEED, climate }) };
  const part = { key: 'terrain', cost: 1, kind: 'terrain', plan: { seconds: 3 } } as const;
  await writePart(part, { world, directory, jp2Encoder: makeJp2Encoder() });
  return {
    name: 'demo-world',
    dataDir,
    from: directory,
    spots: [
      [-122.25, 48.35],
      // where its four files meet, and an edge of the world
      [-122.0003, 48.0003],
      [-122.6, 47.7],
    ],
  };
}

/** Every image in the given folders, as a model of its own. */
function findReal(folder: string, given: string): readonly DemSource[] {
  const roots = given.split(delimiter).filter((path) => path !== '');
  const paths = roots.flatMap((root) =>
    statSync(root).isFile() ? [resolve(root)] : globSync(`${resolve(root)}/**/*.{tif,tiff}`).sort(),
  );
  return paths.map((path) => {
    const name = basename(path).replace(/\.tiff?$/, '');
    return { name, dataDir: join(folder, `real-${name}`), from: path, folder: dirname(path), spots: [] };
  });
}
