import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { get, open as openZarrita, root } from 'zarrita';
import { boundCodecs } from '../../formats/zarr/bounded-codecs.ts';
import type { CubeGrid } from '../grid/cube-grid.ts';
import { readSeries } from '../series/read-series.ts';
import { toStep } from './cube.ts';
import type { CubeFields } from './cube-writer.ts';
import { makeCubes } from './cubes.ts';

const folders: string[] = [];
let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'swath-cubes-'));
  folders.push(directory);
});
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Larger than a chunk each way, so that there are four. */
const grid: CubeGrid = { west: 10.5, north: 49.5, lonStep: 1, latStep: 1, width: 12, height: 10 };
const cellCount = grid.width * grid.height;
const plan = { grid, stepHours: 24 } as const;
const about = { units: 'm3 m-3', longName: 'Soil moisture' };
const valueAt = (step: number, cell: number): number => Math.fround(step / 100_000 + cell / 1000);
const toFields = (steps: readonly number[], of = valueAt): CubeFields => ({
  variable: 'surface',
  about,
  fields: steps.map((step) => ({
    step,
    values: Float32Array.from({ length: cellCount }, (_, cell) => of(step, cell)),
  })),
});
const first = toStep(Date.parse('2024-10-01'), 24);
const range = (from: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, i) => from + i);
const chunkFiles = (): readonly string[] =>
  readdirSync(join(directory, 'soil/a/chunks'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();
const at = (cell: number) => ({
  type: 'Point' as const,
  coordinates: [10.5 + (cell % grid.width), 49.5 - Math.floor(cell / grid.width)] as const,
});

test('what was written is read, by cell and by day, across chunks of space and time', async () => {
  const cubes = makeCubes({ directory, subject: 'soil' });
  const writer = await cubes.openWriter('a', plan);
  const steps = range(first, 800);
  const timeChunks = Math.floor((first + 799) / 512) - Math.floor(first / 512) + 1;
  assert.equal(await writer.write([toFields(steps)], new Map([['f.nc', '1']])), 4 * timeChunks);
  for (const cell of [0, 7, 8, 11, 95, 97, 119]) {
    const series = await readSeries(cubes, 'a', {
      variable: 'surface',
      where: at(cell),
      firstStep: first - 2,
      lastStep: first + 799 + 2,
    });
    assert.equal(series.stepCount, 804);
    const wanted = [
      Number.NaN,
      Number.NaN,
      ...steps.map((step) => valueAt(step, cell)),
      Number.NaN,
      Number.NaN,
    ];
    assert.deepEqual([...series.means], wanted);
  }
  const [cube] = await cubes.list();
  assert.deepEqual(cube, {
    name: 'a',
    grid,
    stepHours: 24,
    variables: { surface: about },
    firstStep: first,
    lastStep: first + 799,
    kind: 'history',
    runMs: null,
    sourceCount: 1,
  });
});

test('the mean of an area leaves out gaps, and a day of gaps is a gap', async () => {
  const cubes = makeCubes({ directory, subject: 'soil' });
  const writer = await cubes.openWriter('a', plan);
  const fields = toFields([first, first + 1, first + 3], (step, cell) =>
    step === first + 1 ? Number.NaN : cell === 1 ? Number.NaN : cell,
  );
  await writer.write([fields], new Map());
  const square = [
    [10, 49],
    [12, 49],
    [12, 50],
    [10, 50],
    [10, 49],
  ] as const;
  const where = { type: 'Polygon', coordinates: [square] } as const;
  const series = await readSeries(cubes, 'a', {
    variable: 'surface',
    where,
    firstStep: first,
    lastStep: first + 3,
  });
  assert.equal(series.isInterpolated, false);
  assert.deepEqual(
    series.cells.map(({ weight }) => weight),
    [0.5, 0.5],
  );
  assert.deepEqual([...series.means], [0, Number.NaN, Number.NaN, 0]);
  assert.deepEqual([...series.values], [0, Number.NaN, Number.NaN, 0, ...new Array(4).fill(Number.NaN)]);
});

test('days are appended before and after; the same again changes nothing; a gap erases nothing', async () => {
  const cubes = makeCubes({ directory, subject: 'soil' });
  const writer = await cubes.openWriter('a', plan);
  const later = Math.ceil(first / 512) * 512 + 600;
  await writer.write([toFields([later])], new Map([['b', '1']]));
  await writer.write([toFields([first])], new Map([['a', '1']]));
  const [files, manifest] = [chunkFiles(), readFileSync(join(directory, 'soil/a/cube.json'), 'utf8')];
  const again = await makeCubes({ directory, subject: 'soil' }).openWriter('a', plan);
  assert.deepEqual([...(await cubes.readSources('a')).keys()].sort(), ['a', 'b']);
  assert.equal(await again.write([toFields([later, first])], new Map([['a', '1']])), 0);
  assert.equal(await again.write([toFields([later], () => Number.NaN)], new Map()), 0);
  assert.deepEqual(
    [chunkFiles(), readFileSync(join(directory, 'soil/a/cube.json'), 'utf8')],
    [files, manifest],
  );
  const request = { variable: 'surface', where: at(5), firstStep: first, lastStep: later };
  const { means } = await readSeries(cubes, 'a', request);
  assert.deepEqual([means[0], means.at(-1), means[1]], [valueAt(first, 5), valueAt(later, 5), Number.NaN]);
});

test('the kind, the run, and a field for all times are stored; variables for the next ingest are not shown', async () => {
  const runMs = Date.parse('2026-11-16T06:00Z');
  const forecast = { ...plan, kind: 'forecast', runMs } as const;
  const writer = await makeCubes({ directory, subject: 'soil' }).openWriter('a', forecast);
  const height = (cell: number): number => 100 + cell;
  const elevation: CubeFields = {
    variable: 'elevation',
    about: { units: 'm', longName: 'Height', isStatic: true },
    fields: [{ step: 0, values: Float32Array.from({ length: cellCount }, (_, cell) => height(cell)) }],
  };
  // Alone it covers no time, so that there is no cube yet.
  assert.equal(await writer.write([elevation], new Map([['z.nc', '1']])), 0);
  await writer.write([toFields([first]), { ...toFields([first]), variable: '_total' }], new Map());
  const cubes = makeCubes({ directory, subject: 'soil' });
  assert.deepEqual(await cubes.find('a'), {
    name: 'a',
    grid,
    stepHours: 24,
    variables: { elevation: elevation.about, surface: about },
    firstStep: first,
    lastStep: first,
    kind: 'forecast',
    runMs,
    sourceCount: 0,
  });
  const request = { variable: 'elevation', where: at(97), firstStep: 0, lastStep: 0 };
  assert.deepEqual([...(await readSeries(cubes, 'a', request)).means], [height(97)]);
  await assert.rejects(cubes.openWriter('a', plan), { code: 'cube-kind' });
  await assert.rejects(cubes.openWriter('a', { ...forecast, runMs: runMs + 1 }), { code: 'cube-kind' });
});

test('another grid or step is refused with both in the sentence', async () => {
  const cubes = makeCubes({ directory, subject: 'soil' });
  await (await cubes.openWriter('a', plan)).write([toFields([first])], new Map());
  await assert.rejects(cubes.openWriter('a', { grid: { ...grid, west: 20 }, stepHours: 24 }), {
    code: 'cube-grid',
    message: /from 20, 49\.5.*from 10\.5, 49\.5/,
  });
  await assert.rejects(cubes.openWriter('a', { grid, stepHours: 1 }), { code: 'cube-step' });
});

test('a reader that holds the state before a write still reads it, or reads the new one', async () => {
  const cubes = makeCubes({ directory, subject: 'soil', cacheBytes: 0 });
  const writer = await cubes.openWriter('a', plan);
  await writer.write([toFields([first])], new Map());
  let runs = 0;
  const means = await cubes.withState('a', async ({ state, readChunk }) => {
    runs += 1;
    // Two writes while the read is under way: its chunks are gone, and it starts again.
    if (runs === 1)
      for (const added of [1, 2])
        await writer.write([toFields([first], (step, cell) => valueAt(step, cell) + added)], new Map());
    return readChunk(state.variables.get('surface')!.chunks.values().next().value!);
  });
  assert.equal(runs, 2);
  assert.ok(means[first % 512]! > 2);
});

test('a damaged chunk or manifest is an error, never numbers', async () => {
  const cubes = makeCubes({ directory, subject: 'soil', cacheBytes: 0 });
  await (await cubes.openWriter('a', plan)).write([toFields([first])], new Map());
  const request = { variable: 'surface', where: at(0), firstStep: first, lastStep: first };
  for (const entry of readdirSync(join(directory, 'soil/a/chunks'), {
    recursive: true,
    withFileTypes: true,
  })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = readFileSync(path);
    // Each of its chunks, wherever they lie.
    for (let i = 0; i < bytes.length; i += 40) bytes[i]! ^= 0x55;
    writeFileSync(path, bytes);
  }
  await assert.rejects(readSeries(cubes, 'a', request), { code: 'cube-damaged' });
  writeFileSync(join(directory, 'soil/a/cube.json'), '{"refs":{}}');
  await assert.rejects(readSeries(cubes, 'a', request), { code: 'cube-damaged' });
  await assert.rejects(readSeries(cubes, 'none', request), { code: 'unknown-cube' });
});

test('a cube is removed once, and leaves nothing', async () => {
  const cubes = makeCubes({ directory, subject: 'soil' });
  await (await cubes.openWriter('a', plan)).write([toFields([first])], new Map());
  assert.equal(await cubes.remove('a'), true);
  assert.equal(await cubes.remove('a'), false);
  assert.deepEqual(readdirSync(join(directory, 'soil')), []);
});

test('zarrita reads a cube by its manifest, as any program does that knows such files', async () => {
  const cubes = makeCubes({ directory, subject: 'soil' });
  const writer = await cubes.openWriter('a', plan);
  await writer.write([toFields(range(first, 600))], new Map());
  const folder = join(directory, 'soil/a');
  const { refs } = JSON.parse(readFileSync(join(folder, 'cube.json'), 'utf8')) as {
    refs: Record<string, string | [path: string, offset: number, length: number]>;
  };
  const store = {
    async get(key: string): Promise<Uint8Array | undefined> {
      const reference = refs[key.slice(1)];
      if (reference === undefined) return undefined;
      if (Array.isArray(reference)) {
        const [path, offset, length] = reference;
        return (await readFile(join(folder, path))).subarray(offset, offset + length);
      }
      if (reference.startsWith('base64:')) return new Uint8Array(Buffer.from(reference.slice(7), 'base64'));
      return new Uint8Array(Buffer.from(reference));
    },
  };
  boundCodecs();
  const group = root(store);
  const time = await get(await openZarrita(group.resolve('time'), { kind: 'array' }), [null]);
  const index = [...(time.data as Float64Array)].indexOf(first + 555);
  const surface = await get(await openZarrita(group.resolve('surface'), { kind: 'array' }), [
    null,
    null,
    index,
  ]);
  assert.deepEqual(surface.shape, [grid.height, grid.width]);
  assert.deepEqual(
    [...(surface.data as Float32Array)],
    range(0, cellCount).map((cell) => valueAt(first + 555, cell)),
  );
});

test('a writer that is killed leaves a whole cube, of the last write or the one before', {
  timeout: 60_000,
}, async () => {
  const script = join(import.meta.dirname, 'testing/write-forever.ts');
  const cubes = makeCubes({ directory, subject: 'soil', cacheBytes: 0 });
  let seen = 0;
  for (const waitMs of [5, 20, 45]) {
    const child = spawn(process.execPath, [script, directory, String(seen)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout!, 'data');
    await sleep(waitMs);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const all = {
      type: 'Polygon',
      coordinates: [
        [
          [10, 40],
          [22, 40],
          [22, 50],
          [10, 50],
          [10, 40],
        ],
      ],
    } as const;
    const { values, cells } = await readSeries(cubes, 'a', {
      variable: 'surface',
      where: all,
      firstStep: 0,
      lastStep: 0,
    });
    assert.equal(cells.length, cellCount);
    // Each write sets every cell to its number: two numbers would be half a write.
    const numbers = new Set(values);
    assert.equal(numbers.size, 1);
    const [number] = numbers as Set<number>;
    assert.ok(number! >= seen + 1, `${number} after ${seen}`);
    seen = number!;
  }
});
