import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { isSwathError } from '../../errors.ts';
import { openZarr } from './open-zarr.ts';

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'swath-zarr-'));
});
after(() => rmSync(folder, { recursive: true }));

function write(store: string, files: Readonly<Record<string, string | Uint8Array>>): string {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, store, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  return join(folder, store);
}

/** Numbers 0, 1, … of an array of 2 × 3, in chunks of 2 × 2; what lies outside of the array is 99. */
const left = Int16Array.of(0, 1, 3, 4);
const right = Int16Array.of(2, 99, 5, 99);
const bytesOf = (values: Int16Array): Uint8Array => new Uint8Array(values.buffer);

const v2 = {
  '.zgroup': JSON.stringify({ zarr_format: 2 }),
  '.zattrs': JSON.stringify({ title: 'two' }),
  'sm/.zattrs': JSON.stringify({ _ARRAY_DIMENSIONS: ['lat', 'lon'], units: 'm3 m-3', scale_factor: 0.01 }),
  'sm/.zarray': JSON.stringify({
    zarr_format: 2,
    shape: [2, 3],
    chunks: [2, 2],
    dtype: '<i2',
    compressor: { id: 'zlib', level: 1 },
    fill_value: -1,
    order: 'C',
    filters: null,
  }),
  'sm/0.0': deflateSync(bytesOf(left)),
};

const toV3 = (codec: string, last: Uint8Array) => ({
  'zarr.json': JSON.stringify({ zarr_format: 3, node_type: 'group', attributes: { title: 'three' } }),
  'sm/zarr.json': JSON.stringify({
    zarr_format: 3,
    node_type: 'array',
    shape: [2, 3],
    data_type: 'int16',
    chunk_grid: { name: 'regular', configuration: { chunk_shape: [2, 2] } },
    chunk_key_encoding: { name: 'default', configuration: { separator: '/' } },
    fill_value: 7,
    codecs: [
      { name: 'bytes', configuration: { endian: 'little' } },
      { name: codec, configuration: {} },
    ],
    attributes: {},
    dimension_names: ['lat', 'lon'],
  }),
  'sm/c/0/0': codec === 'gzip' ? gzipSync(bytesOf(left)) : zstdCompressSync(bytesOf(left)),
  'sm/c/0/1': last,
});

test('version 2 is read: numbers, dimension names, and an absent chunk', async () => {
  const file = await openZarr(write('two', v2));
  assert.equal(file.attributes.get('title'), 'two');
  const [moisture] = file.variables;
  assert.deepEqual([moisture!.name, moisture!.dimensions, moisture!.sizes], ['sm', ['lat', 'lon'], [2, 3]]);
  assert.deepEqual(moisture!.attributes.get('_FillValue'), [-1]);
  assert.deepEqual(moisture!.attributes.get('scale_factor'), [0.01]);
  assert.deepEqual([...(await file.read(moisture!, { start: [0, 0], count: [2, 3] }))], [0, 1, -1, 3, 4, -1]);
});

test('version 3 is read in parts across chunks', async () => {
  for (const codec of ['gzip', 'zstd']) {
    const last = codec === 'gzip' ? gzipSync(bytesOf(right)) : zstdCompressSync(bytesOf(right));
    const file = await openZarr(write(`three-${codec}`, toV3(codec, last)));
    const [moisture] = file.variables;
    const read = async (start: number[], count: number[]) => [
      ...(await file.read(moisture!, { start, count })),
    ];
    assert.deepEqual(await read([0, 0], [2, 3]), [0, 1, 2, 3, 4, 5]);
    assert.deepEqual(await read([1, 1], [1, 2]), [4, 5]);
    assert.deepEqual(await read([0, 2], [2, 1]), [2, 5]);
    assert.equal(moisture!.attributes.has('_FillValue'), false);
  }
});

test('chunks that are short, damaged, bombs or links out of the folder are refused', async () => {
  const read = async (store: string) => {
    const file = await openZarr(store);
    return file.read(file.variables[0]!, { start: [0, 0], count: [2, 3] });
  };
  const short = write('short', toV3('gzip', gzipSync(Buffer.alloc(2))));
  await assert.rejects(read(short), { tag: 'source-broken' });
  const damaged = write('damaged', toV3('gzip', Buffer.from('nothing of the kind')));
  await assert.rejects(read(damaged), { code: 'zarr-damaged' });
  const bomb = write('bomb', toV3('gzip', gzipSync(Buffer.alloc(2 ** 28 + 1))));
  await assert.rejects(read(bomb), { code: 'zarr-damaged' });
  const linked = write('linked', v2);
  symlinkSync('/etc/hostname', join(linked, 'sm/0.1'));
  await assert.rejects(read(linked), { code: 'zarr-link' });
  const greedy = toV3('gzip', gzipSync(bytesOf(right)));
  const document = greedy['sm/zarr.json'].replaceAll('[2,2]', '[20000,20000]');
  await assert.rejects(read(write('greedy', { ...greedy, 'sm/zarr.json': document })), {
    code: 'zarr-chunk',
  });
});

test('invalid metadata are refused', async () => {
  const document = JSON.parse(toV3('gzip', gzipSync(bytesOf(right)))['sm/zarr.json']) as Record<
    string,
    unknown
  >;
  let refused = 0;
  for (const [i, key] of Object.keys(document).entries()) {
    for (const value of [null, -1, 'x', {}, [], [-3, 1e300], [0, 0], [{ name: 'x' }, { name: 'y' }]]) {
      const store = write(`odd-${i}`, {
        ...toV3('gzip', gzipSync(bytesOf(right))),
        'sm/zarr.json': JSON.stringify({ ...document, [key]: value }),
      });
      try {
        const file = await openZarr(store);
        for (const variable of file.variables)
          await file.read(variable, { start: variable.sizes.map(() => 0), count: variable.sizes });
      } catch (error) {
        refused += 1;
        assert.ok(
          isSwathError(error) && error.tag !== 'internal',
          `${key} ${JSON.stringify(value)}: ${error}`,
        );
      }
    }
  }
  assert.ok(refused > 20, `${refused} refused`);
});

test('a folder without Zarr in it is refused', async () => {
  await assert.rejects(openZarr(write('none', { 'a.txt': 'x' })), { tag: 'source-broken' });
});
