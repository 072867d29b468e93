import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import * as h5wasm from 'h5wasm';
import { makeHdf5Thread } from './hdf5-thread.ts';

const { FS } = await h5wasm.ready;
const folder = mkdtempSync(join(tmpdir(), 'swath-hostile-hdf5-'));
const thread = makeHdf5Thread();
after(async () => {
  await thread.close();
  rmSync(folder, { recursive: true });
});

/** Writes a file, and says how many bytes it has. */
function write(name: string, fill: (file: h5wasm.File) => void): { readonly path: string; size: number } {
  const file = new h5wasm.File('/made.h5', 'w');
  fill(file);
  file.close();
  const bytes = FS.readFile('/made.h5');
  const path = join(folder, `${name}.h5`);
  writeFileSync(path, bytes);
  return { path, size: bytes.length };
}

const repeat = (count: number, make: (i: number) => void): void => {
  for (let i = 0; i < count; i++) make(i);
};

const hostile: readonly (readonly [what: string, code: string, fill: (file: h5wasm.File) => void])[] = [
  [
    'a group with many hard links to itself',
    'hdf5-groups',
    (file) => {
      file.create_group('ring');
      repeat(60, (i) => file.create_hard_link('/ring', `ring/link-${i}`));
    },
  ],
  [
    'hard links to the root',
    'hdf5-groups',
    (file) => repeat(60, (i) => file.create_hard_link('/', `link-${i}`)),
  ],
  [
    'soft links to the root',
    'hdf5-groups',
    (file) => repeat(60, (i) => file.create_soft_link('/', `link-${i}`)),
  ],
  [
    'a ring of soft links',
    'hdf5-damaged',
    (file) => repeat(60, (i) => file.create_soft_link(`/link-${(i + 1) % 60}`, `link-${i}`)),
  ],
  [
    'two groups that contain each other',
    'hdf5-groups',
    (file) => {
      file.create_group('one');
      file.create_group('two');
      repeat(30, (i) => {
        file.create_hard_link('/two', `one/link-${i}`);
        file.create_hard_link('/one', `two/link-${i}`);
      });
    },
  ],
  [
    'many links to one variable with many attributes',
    'hdf5-attributes',
    (file) => {
      const variable = file.create_dataset({ name: 'one', data: Float32Array.of(1, 2) });
      repeat(200, (i) => variable.create_attribute(`attribute-${i}`, Float64Array.of(i)));
      repeat(300, (i) => file.create_hard_link('/one', `link-${i}`));
    },
  ],
  [
    'many links to one variable',
    'hdf5-variables',
    (file) => {
      file.create_dataset({ name: 'one', data: Float32Array.of(1, 2) });
      repeat(4_200, (i) => file.create_hard_link('/one', `link-${i}`));
    },
  ],
  [
    'many links that lead nowhere',
    'hdf5-links',
    (file) => repeat(9_000, (i) => file.create_soft_link('/none', `link-${i}`)),
  ],
];

for (const [what, code, fill] of hostile) {
  test(`${what}: the file is refused after a bounded number of steps`, async () => {
    const { path, size } = write('hostile', fill);
    assert.ok(size < 2 ** 20, `${size} bytes`);
    await assert.rejects(thread.open(path), { code });
  });
}

test('links to other files are ignored, also those that guess the name of the file itself', async () => {
  const { path } = write('external', (file) => {
    file.create_dataset({ name: 'own', data: Float32Array.of(1, 2) });
    for (const [i, name] of ['/etc/passwd', '/file', 'external.h5', '.', '/made.h5'].entries())
      repeat(20, (j) => file.create_external_link(name, '/', `link-${i}-${j}`));
  });
  const { variables } = await thread.open(path);
  assert.deepEqual(
    variables.map(({ name }) => name),
    ['own'],
  );
});

test('groups nested deeper than four levels are ignored', async () => {
  const { path } = write('deep', (file) => {
    let name = 'group';
    repeat(100, (i) => {
      file.create_group(name);
      file.create_dataset({ name: `${name}/values-${i}`, data: Float32Array.of(i) });
      name += '/group';
    });
  });
  const { variables } = await thread.open(path);
  assert.deepEqual(
    variables.map(({ name }) => name.split('/').at(-1)),
    ['values-3', 'values-2', 'values-1', 'values-0'],
  );
});
