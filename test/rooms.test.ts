import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { WEB } from '../scripts/built-from.ts';
import { isHelper, isProduct, parseImports } from './support/read-imports.ts';

/**
 * The rooms of src/ from the ground up. A room may import the rooms listed before it, through their doors (`doorsOf`),
 * and the files of the top level named below. Services are on the same level: they import each other only where listed.
 */
const FLOORS: readonly (readonly string[])[] = [
  ['async'],
  ['files', 'geo', 'xml'],
  ['proj', 'bandmath', 'numbers', 'seasons'],
  ['raster'],
  ['color', 'stack'],
  ['sensors'],
  ['net'],
  ['tracing'],
  ['sources'],
  ['objects'],
  ['formats'],
  ['vector'],
  ['pool'],
  ['blocks'],
  ['cubes'],
  [
    ...['catalog', 'ingest', 'areas', 'library', 'keys', 'render', 'terrain', 'exports', 'coverage'],
    ...['zonal', 'soil-moisture', 'weather', 'tasks', 'live', 'mosaic', 'bulk', 'fields', 'zones', 'watch'],
    ...['classes', 'sign-in'],
  ],
  ['settings'],
  ['demo'],
  ['http', 'cli', 'adapters'],
  ['app'],
];

const SERVICES: Readonly<Record<string, readonly string[]>> = {
  bulk: ['render', 'catalog', 'areas', 'zonal'],
  classes: ['render', 'catalog', 'areas', 'zonal', 'mosaic', 'exports'],
  coverage: ['render', 'catalog', 'areas'],
  exports: ['render', 'catalog', 'areas', 'mosaic'],
  fields: ['areas', 'library'],
  ingest: ['catalog'],
  mosaic: ['render', 'catalog', 'areas'],
  library: ['areas'],
  live: ['catalog', 'ingest', 'terrain'],
  render: ['catalog', 'ingest', 'areas'],
  watch: ['catalog', 'mosaic'],
  zonal: ['render', 'catalog', 'areas'],
  tasks: [
    'bulk',
    'mosaic',
    'exports',
    'soil-moisture',
    'zonal',
    'render',
    'terrain',
    'catalog',
    'ingest',
    'areas',
    'fields',
  ],
  'sign-in': ['keys'],
  terrain: ['ingest', 'areas'],
  zones: ['render', 'catalog', 'areas', 'zonal'],
};

/** Files of the top level that anyone may import. `main.ts` is the only other one. */
const EVERYONES = ['errors.ts', 'json.ts', 'lru.ts', 'units.ts'];

/** The demo world is outside src/; only demo/ loads it. */
const WORLD_DOOR = '../world/index.ts';
/** Its weather has a door of its own: a running server loads it without the code that makes pixels. */
const WEATHER_DOOR = '../world/weather/index.ts';
const WORLD_DOORS: readonly string[] = [WORLD_DOOR, WEATHER_DOOR];

interface Import {
  readonly from: string;
  readonly to: string;
}

/** Every import of the files below a folder; paths count from the root of the repository. */
const readAllImports = (root: string) =>
  globSync(`${root}/**/*.{ts,tsx}`).flatMap((from) => parseImports(from, readFileSync(from, 'utf8')));

/** The same; paths count from src/. */
const readImports = (root = 'src'): readonly Import[] =>
  readAllImports(root).map(({ from, to }) => ({ from: relative('src', from), to: relative('src', to) }));

/** The path in an import. */
const toPath = (statement: string): string => /from '([^']+)'/.exec(statement)?.[1] ?? '';

const roomOf = (file: string): string | null => (file.includes('/') ? (file.split('/')[0] as string) : null);

/**
 * Rooms with a door for each of their parts: only some formats are needed at a time, only one adapter is in use, and
 * files and statistics need nothing of render that draws. Settings need the presets of live catalogs, which are data,
 * and every command reads settings.
 */
const DOORS: Readonly<Record<string, RegExp>> = {
  adapters: /^adapters\/[\w-]+\/index\.ts$/,
  // A format that is one file is its own door.
  formats: /^formats\/[\w-]+(?:\/index)?\.ts$/,
  live: /^live\/(?:presets\/)?index\.ts$/,
  // The viewer traces patches, and needs nothing else of numbers.
  numbers: /^numbers\/(?:index|trace-patches)\.ts$/,
  // Requests to S3 are of no use to those who read from other servers.
  net: /^net\/(?:index|s3)\.ts$/,
  render: /^render\/(?:native\/)?index\.ts$/,
  // Live catalogs read headers of elevation models, and nothing that draws.
  terrain: /^terrain\/(?:cells\/)?index\.ts$/,
  // What many areas share with one is of no use to those who order statistics.
  zonal: /^zonal\/(?:index|measuring)\.ts$/,
};
const doorsOf = (room: string): RegExp => DOORS[room] ?? new RegExp(`^${room}/index\\.ts$`);

const floorOf = (room: string): number => FLOORS.findIndex((rooms) => rooms.includes(room));

/** Why an import breaks the rules; null when it does not. */
function faultOf({ from, to }: Import): string | null {
  const [room, target] = [roomOf(from), roomOf(to)];
  if (room === 'demo' && WORLD_DOORS.includes(to)) return null;
  if (to.startsWith('..')) return `src does not import ${to}`;
  if (isHelper(from)) return null;
  if (isHelper(to)) return `${to} is a helper of tests`;
  if (target === null) return EVERYONES.includes(to) ? null : `nothing may import ${to}`;
  if (floorOf(target) < 0) return `${target} is not a room; add it to the table of this test`;
  if (room === target) return null;
  // Commands load the parts of app/ that they need, when they need them.
  if (room === null && target === 'app') return null;
  if (!doorsOf(target).test(to)) return `${to} is not a door`;
  if (room === null) return from === 'main.ts' ? null : `${from} is not part of the composition root`;
  if (target === 'adapters' && room !== 'app') return 'only the composition root may choose an adapter';
  if (floorOf(target) < floorOf(room)) return null;
  if (floorOf(target) === floorOf(room) && SERVICES[room]?.includes(target)) return null;
  return `${room} may not import ${target}`;
}

test('every import in src/ goes down, through a door', () => {
  const imports = readImports();
  assert.ok(
    imports.length > 100,
    `only ${imports.length} imports seen: the pattern above no longer matches the code`,
  );
  const faults = imports
    .filter(({ from }) => !from.endsWith('.test.ts'))
    .map((found) => ({ ...found, fault: faultOf(found) }))
    .filter(({ fault }) => fault !== null);
  assert.deepEqual(faults, []);
});

test('a door has at most 40 names', () => {
  const MAX_NAMES = 40;
  const countNames = (door: string): number =>
    [...readFileSync(door, 'utf8').matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names = '']) =>
      names.split(',').filter((name) => name.trim() !== ''),
    ).length;
  const doors = globSync('src/*/{,*/}index.ts').map((door) => [door, countNames(door)] as const);
  assert.ok(doors.length > 30 && doors.every(([, names]) => names > 0), 'doors are lists of names');
  assert.deepEqual(
    doors.filter(([, names]) => names > MAX_NAMES),
    [],
  );
});

test("the codes of a room's errors are in its table, and each of them is used", () => {
  const KINDS = ['badInput', 'unsupported', 'notFound', 'notAllowed', 'conflict', 'tooLarge', 'tooBusy'];
  KINDS.push('unavailable', 'sourceBroken', 'timedOut', 'cancelled', 'internal');
  const files = globSync('src/*/**/*.ts').filter(
    (file) => !file.endsWith('.test.ts') && !isHelper(relative('src', file)),
  );
  const makesByHand = new RegExp(
    `import \\{[^}]*\\b(?:${KINDS.join('|')})\\b[^}]*\\} from '(?:\\.\\./)+errors\\.ts'`,
  );
  for (const table of globSync('src/*/errors.ts')) {
    const room = table.split('/')[1] as string;
    const texts = files
      .filter((file) => file.startsWith(`src/${room}/`) && file !== table)
      .map((file) => [file, readFileSync(file, 'utf8')] as const);
    const codes = [...readFileSync(table, 'utf8').matchAll(/'([a-z0-9-]+)'/g)].map(
      ([, code]) => code as string,
    );
    assert.ok(codes.length > 0, table);
    const unused = codes.filter((code) => !texts.some(([, text]) => text.includes(`'${code}'`)));
    assert.deepEqual(unused, [], table);
    const others = texts.filter(([file, text]) => {
      const [found] = makesByHand.exec(text) ?? [];
      return (
        found !== undefined &&
        relative(room, join(dirname(relative('src', file)), toPath(found))).startsWith('..')
      );
    });
    assert.deepEqual(
      others.map(([file]) => file),
      [],
      `their makers come from ${table}`,
    );
  }
});

test('nothing in src/ imports from outside of it, except the doors of the demo world', () => {
  const outside = readImports().filter(
    ({ from, to }) => to.startsWith('..') && !WORLD_DOORS.includes(to) && !from.endsWith('.test.ts'),
  );
  assert.deepEqual(outside, []);
});

test('src/ loads the demo world only when a demo is made, and its weather when it is asked for', () => {
  const STATIC = /^\s*(?:import|export)\b(?!\s+type\b)[^'"]*?from\s*['"](?:\.\.\/)+world\//m;
  const files = globSync('src/**/*.ts');
  assert.deepEqual(
    files.filter((file) => STATIC.test(readFileSync(file, 'utf8'))),
    [],
  );
  assert.match("import { buildDemo } from '../../world/index.ts';", STATIC);
  assert.doesNotMatch("import type { DemoSize } from '../../world/index.ts';", STATIC);
  const loadersOf = (door: string): readonly string[] =>
    files
      .filter((file) => readFileSync(file, 'utf8').includes(`import('../${door}')`))
      .map((file) => relative('src/demo', file))
      .sort();
  assert.deepEqual(loadersOf(WORLD_DOOR), ['demo-worker.ts', 'index.ts', 'make-demo.ts']);
  assert.deepEqual(loadersOf(WEATHER_DOOR), ['demo-weather.ts']);
});

test('the weather of the demo world loads nothing that makes ground or pixels', () => {
  const imports = readImports('world');
  const loaded = new Set([WEATHER_DOOR]);
  for (const file of loaded) {
    const text = readFileSync(`src/${file}`, 'utf8');
    for (const { from, to } of imports) {
      const name = to.split('/').at(-1) as string;
      const isLoaded = new RegExp(`^(?:import|export) (?!type\\b)[^;]*/${name}'`, 'm').test(text);
      if (from === file && isLoaded) loaded.add(to);
    }
  }
  const folders = new Set([...loaded].map((file) => file.split('/').slice(0, -1).join('/')));
  assert.deepEqual([...folders].sort(), [
    ...['../world', '../world/climate', '../world/grids', '../world/ground', '../world/light'],
    ...['../world/numbers', '../world/weather', 'proj'],
  ]);
  assert.ok(!loaded.has(WORLD_DOOR));
  const of = (folder: string) => [...loaded].filter((file) => file.startsWith(`../world/${folder}/`));
  assert.deepEqual(of('ground'), ['../world/ground/world.ts'], 'its seed');
  assert.deepEqual(of('light'), ['../world/light/sun.ts']);
});

test('the demo world imports rooms of src/ below settings/, through their doors', () => {
  const imports = readImports('world').filter(({ from }) => !from.endsWith('.test.ts') && !isHelper(from));
  assert.ok(imports.length > 100, `only ${imports.length} imports seen`);
  const faults = imports.filter(({ to }) => {
    if (to.startsWith('../')) return !to.startsWith('../world/') || isHelper(to);
    const room = roomOf(to);
    if (room === null) return !EVERYONES.includes(to);
    return !doorsOf(room).test(to) || floorOf(room) < 0 || floorOf(room) >= floorOf('settings');
  });
  assert.deepEqual(faults, []);
});

/** Rooms of src/ that a browser can load as well: pure numbers. Their files are among the sources of the viewer's build. */
const VIEWER_MAY_IMPORT = ['seasons', 'numbers'];

test('the viewer imports nothing of src/ but rooms of pure numbers, through their doors', () => {
  const imports = readImports('web').filter(
    ({ from, to }) => !from.endsWith('.test.ts') && !isHelper(from) && !to.startsWith('..'),
  );
  assert.ok(imports.length > 0);
  const faults = imports.filter(({ to }) => {
    const room = roomOf(to);
    return room === null || !VIEWER_MAY_IMPORT.includes(room) || !doorsOf(room).test(to);
  });
  assert.deepEqual(faults, []);
  const sources = WEB.sources.flatMap((pattern) => globSync(pattern));
  const loaded = new Set(imports.map(({ to }) => to));
  const all = readImports();
  for (const file of loaded) for (const { from, to } of all) if (from === file) loaded.add(to);
  assert.ok(loaded.size > 3);
  assert.deepEqual(
    [...loaded].filter((file) => !sources.includes(join('src', file))),
    [],
    'a change of these must build the viewer again: add them to scripts/built-from.ts',
  );
});

test('every folder of src/ is a room of the table, and every file of the top level is known', () => {
  const files = globSync('src/**/*.ts').map((file) => relative('src', file));
  for (const file of files) {
    const room = roomOf(file);
    if (room === 'testing') continue;
    if (room !== null) assert.ok(floorOf(room) >= 0, `${room} is not in the table`);
    else if (!file.endsWith('.test.ts')) assert.ok([...EVERYONES, 'main.ts'].includes(file), file);
  }
});

test('the rule sees what it must refuse', () => {
  const wrong: readonly Import[] = [
    { from: 'geo/a.ts', to: 'catalog/index.ts' },
    { from: 'catalog/a.ts', to: 'http/index.ts' },
    { from: 'catalog/a.ts', to: 'render/index.ts' },
    { from: 'http/a.ts', to: 'catalog/scene.ts' },
    { from: 'render/a.ts', to: 'formats/tiff/limits.ts' },
    { from: 'http/a.ts', to: 'adapters/sqlite/index.ts' },
    { from: 'http/a.ts', to: 'app/serve.ts' },
    { from: 'http/a.ts', to: 'main.ts' },
    { from: 'sensors/a.ts', to: 'nowhere/index.ts' },
    { from: 'cli/a.ts', to: WORLD_DOOR },
    { from: 'app/serve.ts', to: WORLD_DOOR },
    { from: 'demo/make-demo.ts', to: '../world/demo/truth.ts' },
  ];
  for (const one of wrong) assert.notEqual(faultOf(one), null, JSON.stringify(one));
  const right: readonly Import[] = [
    { from: 'render/a.ts', to: 'catalog/index.ts' },
    { from: 'render/a.ts', to: 'formats/tiff/index.ts' },
    { from: 'render/a.ts', to: 'formats/png.ts' },
    { from: 'http/a.ts', to: 'errors.ts' },
    { from: 'http/a.ts', to: 'http/b.ts' },
    { from: 'app/serve.ts', to: 'adapters/sqlite/index.ts' },
    { from: 'main.ts', to: 'app/serve.ts' },
    { from: 'demo/make-demo.ts', to: WORLD_DOOR },
  ];
  for (const one of right) assert.equal(faultOf(one), null, JSON.stringify(one));
});

test('docs/develop/architecture.md lists every room', () => {
  const map = readFileSync('docs/develop/architecture.md', 'utf8').split('```')[1] ?? '';
  const rooms = FLOORS.flat();
  assert.ok(rooms.length > 20);
  assert.deepEqual(
    rooms.filter((room) => !new RegExp(`^  ${room}/ `, 'm').test(map)),
    [],
  );
});

/** The parts of the product: the folder that has rooms in it, and those that are one room. */
const ROOTS = ['src', 'world', 'web'];

test('no file imports itself by way of others, not even for its types', () => {
  const imports = ROOTS.flatMap(readAllImports).filter(({ from, to }) => isProduct(from) && isProduct(to));
  assert.ok(imports.length > 2_000, `only ${imports.length} imports seen`);
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
