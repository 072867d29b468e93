import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { get, open as openZarrita, root } from 'zarrita';
import { boundCodecs } from '../../formats/zarr/codecs.ts';
import { toStep } from '../cube.ts';
import type { CubeGrid } from '../cube-grid.ts';
import type { CubeFields } from '../cube-writer.ts';
import type { Cubes } from '../cubes.ts';
import { readSeries } from '../read-series.ts';
import type { TestCubes } from './open-test-cubes.ts';

/** A store of cubes of its own, and its files. */
interface CubesUnderTest {
  /** Opens the cubes as another process would. */
  open(options?: { readonly cacheBytes?: number; readonly nowMs?: () => number }): Cubes;
  /** Paths below the subject, such as `a/cube.json`, sorted. */
  listFiles(): readonly string[];
  readFile(path: string): Buffer;
  writeFile(path: string, bytes: Buffer): void;
  /** For a process that opens them. */
  readonly where: TestCubes;
}

/** Larger than a chunk each way, so that there are four. */
const grid: CubeGrid = { west: 10.5, north: 49.5, lonStep: 1, latStep: 1, width: 12, height: 10 };
const cellCount = grid.width * grid.height;
/** What the cube of the tests is. */
export const plan = { grid, stepHours: 24 } as const;
const about = { units: 'm3 m-3', longName: 'Soil moisture' };
/** The value of a cell at a step. */
export const valueAt = (step: number, cell: number): number => Math.fround(step / 100_000 + cell / 1000);
/** Fields of some steps. */
export const toFields = (steps: readonly number[], of = valueAt): CubeFields => ({
  variable: 'surface',
  about,
  fields: steps.map((step) => ({
    step,
    values: new Float32Array(cellCount).map((_, cell) => of(step, cell)),
  })),
});
/** The first step of the tests. */
export const first = toStep(Date.parse('2024-10-01'), 24);
const range = (from: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, i) => from + i);
/** The middle of a cell. */
export const at = (cell: number) => ({
  type: 'Point' as const,
  coordinates: [10.5 + (cell % grid.width), 49.5 - Math.floor(cell / grid.width)] as const,
});

/** Where the cube `a` of a number in every cell is read as a whole. */
const everywhere = {
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

/** Promises that every store of cubes makes. */
export function cubesContract(name: string, make: () => CubesUnderTest): void {
  const it = (title: string, work: (store: CubesUnderTest) => Promise<void>): void => {
    test(`${name}: ${title}`, () => work(make()));
  };
  const chunkFiles = (store: CubesUnderTest): readonly string[] =>
    store.listFiles().filter((path) => path.startsWith('a/chunks/'));

  it('what was written is read, by cell and by day, across chunks of space and time', async (store) => {
    const cubes = store.open();
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

  it('the mean of an area leaves out gaps, and a day of gaps is a gap', async (store) => {
    const cubes = store.open();
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

  it('days are appended before and after; the same again changes nothing; a gap erases nothing', async (store) => {
    const cubes = store.open();
    const writer = await cubes.openWriter('a', plan);
    const later = Math.ceil(first / 512) * 512 + 600;
    await writer.write([toFields([later])], new Map([['b', '1']]));
    await writer.write([toFields([first])], new Map([['a', '1']]));
    const [files, manifest] = [chunkFiles(store), store.readFile('a/cube.json').toString()];
    const again = await store.open().openWriter('a', plan);
    assert.deepEqual([...(await cubes.readSources('a')).keys()].sort(), ['a', 'b']);
    assert.equal(await again.write([toFields([later, first])], new Map([['a', '1']])), 0);
    assert.equal(await again.write([toFields([later], () => Number.NaN)], new Map()), 0);
    assert.deepEqual([chunkFiles(store), store.readFile('a/cube.json').toString()], [files, manifest]);
    const request = { variable: 'surface', where: at(5), firstStep: first, lastStep: later };
    const { means } = await readSeries(cubes, 'a', request);
    assert.deepEqual([means[0], means.at(-1), means[1]], [valueAt(first, 5), valueAt(later, 5), Number.NaN]);
  });

  it('the kind, the run, and a field for all times are stored; variables for the next ingest are not shown', async (store) => {
    const runMs = Date.parse('2026-11-16T06:00Z');
    const forecast = { ...plan, kind: 'forecast', runMs } as const;
    const writer = await store.open().openWriter('a', forecast);
    const height = (cell: number): number => 100 + cell;
    const elevation: CubeFields = {
      variable: 'elevation',
      about: { units: 'm', longName: 'Height', isStatic: true },
      fields: [{ step: 0, values: new Float32Array(cellCount).map((_, cell) => height(cell)) }],
    };
    // Alone it covers no time, so that there is no cube yet.
    assert.equal(await writer.write([elevation], new Map([['z.nc', '1']])), 0);
    await writer.write([toFields([first]), { ...toFields([first]), variable: '_total' }], new Map());
    const cubes = store.open();
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

  it('another grid or step is refused with both in the sentence', async (store) => {
    const cubes = store.open();
    await (await cubes.openWriter('a', plan)).write([toFields([first])], new Map());
    await assert.rejects(cubes.openWriter('a', { grid: { ...grid, west: 20 }, stepHours: 24 }), {
      code: 'cube-grid',
      message: /from 20, 49\.5.*from 10\.5, 49\.5/,
    });
    await assert.rejects(cubes.openWriter('a', { grid, stepHours: 1 }), { code: 'cube-step' });
  });

  it('a reader that holds the state before a write still reads it, or reads the new one', async (store) => {
    const cubes = store.open({ cacheBytes: 0 });
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

  it('a damaged chunk or manifest is an error, never numbers', async (store) => {
    const cubes = store.open({ cacheBytes: 0 });
    await (await cubes.openWriter('a', plan)).write([toFields([first])], new Map());
    const request = { variable: 'surface', where: at(0), firstStep: first, lastStep: first };
    for (const path of chunkFiles(store)) {
      const bytes = Buffer.from(store.readFile(path));
      // Each of its chunks, wherever they lie.
      for (let i = 0; i < bytes.length; i += 40) bytes[i]! ^= 0x55;
      store.writeFile(path, bytes);
    }
    await assert.rejects(readSeries(cubes, 'a', request), { code: 'cube-damaged' });
    store.writeFile('a/cube.json', Buffer.from('{"refs":{}}'));
    await assert.rejects(readSeries(store.open(), 'a', request), { code: 'cube-damaged' });
    await assert.rejects(readSeries(cubes, 'none', request), { code: 'unknown-cube' });
  });

  it('a cube is removed once, and leaves nothing', async (store) => {
    const cubes = store.open();
    await (await cubes.openWriter('a', plan)).write([toFields([first])], new Map());
    assert.equal(await cubes.remove('a'), true);
    assert.equal(await cubes.remove('a'), false);
    assert.deepEqual(store.listFiles(), []);
  });

  it('zarrita reads a cube by its manifest, as any program does that knows such files', async (store) => {
    const cubes = store.open();
    const writer = await cubes.openWriter('a', plan);
    await writer.write([toFields(range(first, 600))], new Map());
    const { refs } = JSON.parse(store.readFile('a/cube.json').toString()) as {
      refs: Record<string, string | [path: string, offset: number, length: number]>;
    };
    const references = {
      async get(key: string): Promise<Uint8Array | undefined> {
        const reference = refs[key.slice(1)];
        if (reference === undefined) return undefined;
        if (Array.isArray(reference)) {
          const [path, offset, length] = reference;
          return store.readFile(`a/${path}`).subarray(offset, offset + length);
        }
        if (reference.startsWith('base64:')) return new Uint8Array(Buffer.from(reference.slice(7), 'base64'));
        return new Uint8Array(Buffer.from(reference));
      },
    };
    boundCodecs();
    const group = root(references);
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

  it('a writer that is killed leaves a whole cube, of the last write or the one before', async (store) => {
    const script = join(import.meta.dirname, 'write-forever.ts');
    let seen = 0;
    for (const waitMs of [5, 20, 45]) {
      const child = spawn(process.execPath, [script, JSON.stringify(store.where), String(seen)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(child.stdout!, 'data');
      await sleep(waitMs);
      child.kill('SIGKILL');
      await once(child, 'exit');
      const { values, cells } = await readSeries(store.open({ cacheBytes: 0 }), 'a', {
        variable: 'surface',
        where: everywhere,
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

  it('a reader during writes sees each of them whole or not at all', async (store) => {
    const writer = await store.open().openWriter('a', plan);
    const write = (number: number) => writer.write([toFields([0], () => number)], new Map());
    await write(1);
    // Every look at the clock is a minute later, so that the manifest is looked at for every read.
    let minutes = 0;
    const nowMs = (): number => {
      minutes += 1;
      return minutes * 60_000;
    };
    const reader = store.open({ cacheBytes: 0, nowMs });
    let isOver = false;
    const reading = (async () => {
      const seen: number[] = [];
      while (!isOver) {
        const request = { variable: 'surface', where: everywhere, firstStep: 0, lastStep: 0 };
        const { values } = await readSeries(reader, 'a', request);
        assert.equal(new Set(values).size, 1);
        seen.push(values[0]!);
      }
      return seen;
    })();
    for (let number = 2; number <= 20; number++) await write(number);
    isOver = true;
    const seen = await reading;
    assert.ok(seen.length > 1);
    assert.deepEqual(
      seen,
      seen.toSorted((one, other) => one - other),
    );
  });

  it('a write that fails leaves the state before, and the next one makes it up', async (store) => {
    const cubes = store.open();
    const writer = await cubes.openWriter('a', plan);
    await writer.write([toFields([first])], new Map());
    const before = store.readFile('a/cube.json');
    const broken = toFields([first + 1]);
    const bad = { ...broken, variable: 'other', about: { ...about, isStatic: true } };
    await assert.rejects(writer.write([broken, bad], new Map()), { code: 'cube-static' });
    assert.deepEqual(store.readFile('a/cube.json'), before);
    assert.equal((await store.open().find('a'))?.lastStep, first);
    await (await store.open().openWriter('a', plan)).write([broken], new Map());
    assert.equal((await store.open().find('a'))?.lastStep, first + 1);
  });
}
