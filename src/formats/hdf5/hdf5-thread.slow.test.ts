import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import * as h5wasm from 'h5wasm';
import { isSwathError } from '../../errors.ts';
import { makeHdf5Thread } from './hdf5-thread.ts';

let folder: string;
let path: string;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'swath-hdf5-'));
  path = join(folder, 'small.nc');
  writeFileSync(path, await makeFile());
});
after(() => rmSync(folder, { recursive: true }));

/** A file with dimension scales, blocks and compression, as NetCDF 4 writes them. */
async function makeFile(): Promise<Uint8Array> {
  const { FS } = await h5wasm.ready;
  const file = new h5wasm.File('/made.h5', 'w');
  file.create_attribute('title', 'A test');
  for (const [name, values] of [
    ['lat', Float32Array.of(50, 49)],
    ['lon', Float32Array.of(10, 11, 12)],
  ] as const) {
    const axis = file.create_dataset({ name, data: values });
    axis.make_scale(name);
  }
  const data = new Int16Array(12).map((_, i) => i * 10);
  const moisture = file.create_dataset({
    name: 'sm',
    data,
    shape: [2, 2, 3],
    chunks: [1, 2, 3],
    compression: 'gzip',
    compression_opts: [4],
  });
  moisture.attach_scale(1, 'lat');
  moisture.attach_scale(2, 'lon');
  moisture.create_attribute('units', 'm3 m-3');
  moisture.create_attribute('scale_factor', Float64Array.of(0.001));
  file.create_group('inner');
  file.get('inner');
  file.create_dataset({ name: 'inner/other', data: Float64Array.of(1.5, 2.5) });
  file.close();
  return FS.readFile('/made.h5');
}

test('names, dimensions, attributes and numbers are returned through the thread', async () => {
  const thread = makeHdf5Thread();
  try {
    const file = await thread.open(path);
    assert.equal(file.attributes.get('title'), 'A test');
    const byName = new Map(file.variables.map((variable) => [variable.name, variable]));
    assert.deepEqual([...byName.keys()].sort(), ['inner/other', 'lat', 'lon', 'sm']);
    const moisture = byName.get('sm')!;
    assert.deepEqual(moisture.sizes, [2, 2, 3]);
    assert.deepEqual(moisture.dimensions, ['size 2', 'lat', 'lon']);
    assert.deepEqual(byName.get('lat')!.dimensions, ['lat']);
    assert.equal(moisture.attributes.get('units'), 'm3 m-3');
    assert.deepEqual(moisture.attributes.get('scale_factor'), [0.001]);
    assert.deepEqual(
      [...(await file.read(moisture, { start: [1, 0, 1], count: [1, 2, 2] }))],
      [70, 80, 100, 110],
    );
    assert.deepEqual(
      [...(await file.read(byName.get('inner/other')!, { start: [0], count: [2] }))],
      [1.5, 2.5],
    );
    const outside = { start: [0, 0, 2], count: [1, 1, 2] };
    await assert.rejects(file.read(moisture, outside), { code: 'bad-part' });
  } finally {
    await thread.close();
  }
});

test('a file of another kind, or a missing one, is refused, and the thread reads the next one', async () => {
  const thread = makeHdf5Thread();
  try {
    const junk = join(folder, 'junk.nc');
    writeFileSync(junk, 'CDF or not, this is not an HDF5 file');
    await assert.rejects(thread.open(junk), { tag: 'source-broken' });
    await assert.rejects(thread.open(join(folder, 'none.nc')), { tag: 'source-broken' });
    assert.equal((await thread.open(path)).variables.length, 4);
  } finally {
    await thread.close();
  }
});

test('a truncated or damaged file is read or refused', async () => {
  const thread = makeHdf5Thread({ timeoutMs: 300_000 });
  const whole = readFileSync(path);
  const broken = join(folder, 'broken.nc');
  let [read, refused] = [0, 0];
  try {
    // Every position is met in turn; each byte is turned over, and the file is cut off there every third time.
    for (let at = 0, i = 0; at < whole.length; at += 239, i++) {
      const bytes = i % 3 === 0 ? whole.subarray(0, at) : Buffer.from(whole);
      if (i % 3 !== 0) bytes[at]! ^= 0xff;
      writeFileSync(broken, bytes);
      try {
        const file = await thread.open(broken);
        for (const variable of file.variables)
          await file.read(variable, { start: variable.sizes.map(() => 0), count: variable.sizes });
        read += 1;
      } catch (error) {
        assert.ok(isSwathError(error) && error.tag !== 'internal', `byte ${at}: ${error}`);
        refused += 1;
      }
    }
  } finally {
    await thread.close();
  }
  assert.ok(read > 5 && refused > 5, `${read} read, ${refused} refused`);
});
