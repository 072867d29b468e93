import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { isProduct, readImports } from './support/read-imports.ts';

/** Stands for all folders that its entry does not name: alternatives that do not import each other, such as one a sensor. */
const OTHERS = '*';

/**
 * The folders inside large rooms, from the ground up: files of a folder may import those of folders before it. Files that
 * lie next to the folders may import any of them, and be imported where that makes no ring.
 */
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  'src/adapters': ['sql', 'store', 'postgres', 'sqlite'],
  'src/adapters/postgres': ['connection', 'queue', 'scenes', 'schema', 'stores'],
  'src/adapters/sqlite': ['database', 'counts', 'directory', 'scenes', 'schema', 'threads', 'stores'],
  'src/blocks': ['cache', 'fetch'],
  'src/color': ['custom', 'named'],
  'src/cubes': ['grid', 'store', 'series', 'files', 'ingest'],
  'src/exports': ['area', 'grids', 'names', 'work', 'cog', 'bands', 'index-files', 'pictures'],
  'src/formats': [
    ...[
      'hdf5',
      'jpeg',
      'mvt',
      'netcdf',
      'png',
      'zarr',
      'zip',
      'tiff',
      'jp2',
      'grib',
      'sidecars',
      'block-file',
    ],
  ],
  'src/formats/grib': ['bytes', 'headers', 'names', 'packing'],
  'src/formats/jp2': ['headers', 'packets', 'georeference', 'openjpeg', 'reader', 'writer'],
  'src/formats/tiff': [
    ...['directories', 'samples', 'codecs', 'georeference', 'image', 'blocks', 'sidecars', 'cog', 'tile'],
  ],
  'src/http': [
    ...[
      'kit',
      'monitoring',
      'areas',
      'colors',
      'reference',
      'pictures',
      'values',
      'terrain',
      'weather',
      'search',
      'results',
      'tasks',
      'statistics',
    ],
    ...['pages', 'server'],
  ],
  'src/ingest': ['files', 'footprint', 'metadata', 'item', 'families', 'record', 'folder', 'stac', 'convert'],
  'src/ingest/families': [OTHERS],
  'src/ingest/stac': ['scene', 'export', 'source'],
  'src/render': [
    ...['plan', 'calibration', 'scenes', 'inputs', 'colors', 'pixels', 'native', 'samples'],
    ...['clouds', 'pansharpening', 'clusters', 'point', 'intensity', 'contrast', 'pictures'],
  ],
  'src/sensors': ['definition', OTHERS, 'lookup'],
  'src/storage': [
    'network',
    'ranges',
    'local',
    'disk-cache',
    'shared-folder',
    'headers',
    'range-cache',
    'sas',
    'upstream',
    'http',
    's3',
    'relay',
    'blobs',
    'objects',
  ],
  'src/terrain': ['dems', 'ingest', 'plan', 'contours', 'heights', 'tiles', 'values', 'overviews'],
  'src/terrain/ingest': ['record', 'source'],
  'src/weather': [
    'series',
    'physics',
    'daily',
    'forecast',
    'answers',
    'grid',
    'ingest',
    'open-meteo',
    'stations',
  ],
  'web/panels': ['find', 'look', 'area', 'compare', 'download', 'share'],
  web: [
    'texts',
    'scenes',
    'shapes',
    'import',
    'state',
    'api',
    'actions',
    'map',
    'panels',
    'comparison',
    'animation',
    'docs',
    'build',
  ],
  'web/panels/area': ['series', 'zones'],
  world: ['numbers', 'setting', 'climate', 'ground', 'light', 'grids', 'weather', 'products', 'demo'],
  'world/ground': ['base', 'survey', 'paint'],
  'world/products': [OTHERS],
};

/** The parts of the product: the folders that have rooms in them, and those that are one room. */
const ROOTS = ['src', 'world', 'web'];

const imports = ROOTS.flatMap(readImports).filter(({ from, to }) => isProduct(from) && isProduct(to));

/** The folder of a file inside another folder; null for a file next to the folders. */
function folderIn(folder: string, file: string): string | null {
  if (!file.startsWith(`${folder}/`)) return null;
  const [first, second] = file.slice(folder.length + 1).split('/');
  return second === undefined ? null : (first as string);
}

/** Whether files of one folder may import those of another, by the order of the folders around both. */
function mayImport(folders: readonly string[], own: string, other: string): boolean {
  const [ownRank, otherRank] = [own, other].map((name) =>
    folders.indexOf(folders.includes(name) ? name : OTHERS),
  );
  return own === other || (ownRank as number) > (otherRank as number);
}

test('the folders of large rooms import one way', () => {
  assert.ok(imports.length > 2_000, `only ${imports.length} imports seen`);
  const faults = Object.entries(FOLDERS).flatMap(([room, folders]) =>
    imports.filter(({ from, to }) => {
      const [own, other] = [folderIn(room, from), folderIn(room, to)];
      return own !== null && other !== null && !mayImport(folders, own, other);
    }),
  );
  assert.deepEqual(faults, []);
});

test('folders that the table does not name stand between those it names, and do not import each other', () => {
  const folders = ['definition', OTHERS, 'lookup'];
  assert.ok(mayImport(folders, 'kestrel', 'definition') && mayImport(folders, 'lookup', 'kestrel'));
  assert.ok(!mayImport(folders, 'definition', 'kestrel') && !mayImport(folders, 'kestrel', 'lookup'));
  assert.ok(mayImport(folders, 'kestrel', 'kestrel') && !mayImport(folders, 'kestrel', 'landsat'));
});

test('every folder that holds several others is in the table, with all of them', () => {
  const inside = new Map<string, Set<string>>();
  for (const file of ROOTS.flatMap((root) => globSync(`${root}/**/*.ts`)).filter(isProduct)) {
    for (let folder = dirname(file); folder !== '.'; folder = dirname(folder)) {
      const parent = dirname(folder);
      inside.set(parent, (inside.get(parent) ?? new Set()).add(folder.slice(parent.length + 1)));
    }
  }
  // The rooms of src/ have a test of their own.
  for (const folder of ['.', 'src']) inside.delete(folder);
  const found = [...inside].filter(([, folders]) => folders.size > 1);
  const withOthers = ([folder, named]: readonly [string, readonly string[]]) => {
    const others = named.includes(OTHERS) ? [...(inside.get(folder) ?? [])] : [];
    return [folder, [...new Set([...named, ...others])].filter((name) => name !== OTHERS).sort()] as const;
  };
  assert.deepEqual(
    Object.fromEntries(found.map(([folder, folders]) => [folder, [...folders].sort()]).sort()),
    Object.fromEntries(Object.entries(FOLDERS).map(withOthers).sort()),
  );
});

test('docs/develop/architecture.md lists every room, and the folders of each in their order', () => {
  const map = readFileSync('docs/develop/architecture.md', 'utf8').split('```')[1] ?? '';
  const rooms = new Set(globSync('src/*/index.ts').map((file) => file.split('/')[1] as string));
  rooms.add('adapters').add('app');
  for (const room of rooms) assert.match(map, new RegExp(`^  ${room}/ `, 'm'), room);
  for (const [folder, folders] of Object.entries(FOLDERS)) {
    // Folders of folders, and alternatives next to each other, are described where they are.
    if (folder.split('/').length !== (folder.startsWith('src/') ? 2 : 1)) continue;
    const name = folder.split('/').at(-1);
    const entry = new RegExp(`^ *${name}/ .*\n((?: {20,}.*\n)+)`, 'm').exec(map)?.[1] ?? '';
    const listed = [...entry.matchAll(/([\w-]+)\/(?=[ ,\n]|$)/g)].map(([, one]) => one as string);
    assert.deepEqual(
      listed.filter((one) => folders.includes(one)).toSorted(),
      folders.filter((one) => one !== OTHERS).toSorted(),
      `${folder}: ${listed}`,
    );
    for (const { from, to } of imports) {
      const [own, other] = [folderIn(folder, from), folderIn(folder, to)];
      if (own === null || other === null || own === other) continue;
      // Folders that the table does not name are compared with the others above.
      if (!folders.includes(own) || !folders.includes(other)) continue;
      assert.ok(
        listed.indexOf(own) > listed.indexOf(other),
        `${folder}: ${other}/ must stand before ${own}/`,
      );
    }
  }
});

test('no file imports itself by way of others, not even for its types', () => {
  const importsOf = Map.groupBy(imports, ({ from }) => from);
  assert.deepEqual(
    findRings((file) => importsOf.get(file)?.map(({ to }) => to) ?? [], [...importsOf.keys()]),
    [],
  );
});

test('a ring is seen', () => {
  const graph: Readonly<Record<string, readonly string[]>> = { a: ['b'], b: ['c', 'd'], c: ['a'], d: [] };
  assert.deepEqual(
    findRings((file) => graph[file] ?? [], ['a', 'b', 'c', 'd']),
    [['a', 'b', 'c']],
  );
});

/** The groups of files that reach each other (Tarjan's strongly connected components), without single files. */
function findRings(
  importsOf: (file: string) => readonly string[],
  files: readonly string[],
): readonly string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const rings: string[][] = [];
  const visit = (file: string): number => {
    const number = order.size;
    order.set(file, number);
    let low = number;
    stack.push(file);
    for (const next of importsOf(file)) {
      const seen = order.get(next);
      if (seen === undefined) low = Math.min(low, visit(next));
      else if (stack.includes(next)) low = Math.min(low, lowest.get(next) ?? seen);
    }
    lowest.set(file, low);
    if (low === number) {
      const ring = stack.splice(stack.indexOf(file));
      if (ring.length > 1) rings.push(ring.sort());
    }
    return low;
  };
  for (const file of files) if (!order.has(file)) visit(file);
  return rings;
}
