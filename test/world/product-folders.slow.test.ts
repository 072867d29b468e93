/** A product is the same scene, whichever folder of its path is ingested: its own, or one above it. */

import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { after, before, test } from 'node:test';
import { walkFolder } from '../../src/files/index.ts';
import { writePlanetScope } from '../../src/ingest/families/testing/planetscope-product.ts';
import { findProducts } from '../../src/ingest/folder/find-products.ts';
import type { TestFolder } from '../../src/ingest/folder/testing/make-folder.ts';
import { makeTestFolder } from '../../src/ingest/folder/testing/make-folder.ts';
import { ingestFolder } from '../../src/ingest/index.ts';
import { runSwath } from '../support/start-swath.ts';
import { copyParts } from './shared-world.ts';
import { smallProducts } from './small-products.ts';

let folder: TestFolder;
before(async () => {
  folder = await makeTestFolder();
  await copyParts(
    smallProducts.map(({ part }) => part),
    ({ key }) => join(folder.root, key),
  );
  await writePlanetScope(join(folder.root, 'planetscope', 'order', 'PSScene'), {
    id: '20230915_103045_12_24c8',
  });
});
after(() => folder.remove());

/** All folders from that of a product up to the one it was written to. */
async function listFolders(root: string): Promise<readonly string[]> {
  const { files, above } = await walkFolder(root);
  const { products } = findProducts(files, above);
  assert.equal(products.length, 1, root);
  const own = `${sep}${products[0]!.folder.join(sep)}`;
  const folders = [own];
  for (let at = own; at !== (await realpath(root)); at = dirname(at)) folders.push(dirname(at));
  return folders;
}

for (const key of [...smallProducts.map(({ part }) => part.key), 'planetscope']) {
  test(`${key}: its own folder and every folder above it give the same scene`, async () => {
    const folders = await listFolders(join(folder.root, key));
    const versions = new Set<string>();
    for (const path of folders) {
      folder.scenes.clear();
      const { totals, products } = await ingestFolder({ ...folder.options, path });
      assert.equal(totals.broken, 0, `${path}: ${products[0]?.reason}`);
      assert.equal(folder.scenes.size, 1, path);
      assert.notEqual(products[0]?.product, '.', 'a report names the product');
      for (const { viewId, version } of folder.scenes.values()) versions.add(`${viewId} ${version}`);
    }
    assert.equal(versions.size, 1, [...versions].join());
  });
}

test('the command takes the folder of a product as a path of any form', async () => {
  const data = await mkdtemp(join(tmpdir(), 'swath-product-folder-'));
  try {
    const [own = ''] = await listFolders(join(folder.root, 'sentinel2-l1c-images'));
    assert.match(own, /\.SAFE$/);
    const env = { SWATH_DATA: data, SWATH_SOURCES: folder.root };
    const forms: readonly (readonly [path: string, cwd: string])[] = [
      [own, tmpdir()],
      [`${own}/`, tmpdir()],
      ['.', own],
      ['./', own],
      [relative(dirname(own), own), dirname(own)],
      ['..', join(own, 'GRANULE')],
    ];
    for (const [path, cwd] of forms) {
      const { status, stdout, stderr } = await runSwath(['ingest', 'folder', path], env, cwd);
      assert.equal(status, 0, `${path} in ${cwd}: ${stdout}${stderr}`);
    }
    const { stdout } = await runSwath(['scenes', 'list', '--json'], env);
    assert.equal(stdout.match(/"viewId"/g)?.length, 1, stdout);
  } finally {
    await rm(data, { recursive: true });
  }
});
