import { join } from 'node:path';
import { after } from 'node:test';
import { createCog } from '../../../formats/cog/index.ts';
import type { TestFolder } from '../../folder/testing/make-folder.ts';
import { makeTestFolder } from '../../folder/testing/make-folder.ts';
import type { StacFilters } from '../filters.ts';
import type { IngestStacOptions } from '../ingest-stac.ts';
import { ingestStac } from '../ingest-stac.ts';
import { naipItem } from './make-items.ts';

/** Filters that let every item pass. */
export const everything: StacFilters = {
  bbox: null,
  date: null,
  maxCloudPercent: null,
  limit: null,
  collections: [],
};
const folders: TestFolder[] = [];
after(() => Promise.all(folders.map((folder) => folder.remove())));

/** Makes a folder that is removed after the tests of the file. */
export async function makeFolder(): Promise<TestFolder> {
  const folder = await makeTestFolder();
  folders.push(folder);
  return folder;
}

/** Ingests the items of a folder, by default without access to the network. */
export function ingest({ root, options }: TestFolder, more: Partial<IngestStacOptions> = {}) {
  const { store, open, toHref } = options;
  const given = { from: root, filters: everything, fetch: null, isAllowedHref: () => false };
  return ingestStac({ ...given, store, open, toHref, sleep: async () => {}, ...more });
}

/** Writes a NAIP item and its file into the folder. */
export async function addNaip(folder: TestFolder, number: number): Promise<void> {
  const item = naipItem(number);
  const name = String(item.assets.image!.href).split('/').at(-1)!;
  item.assets.image!.href = `./${name}`;
  await folder.write(`${item.id}.json`, JSON.stringify(item));
  const size = 700;
  const cog = await createCog(join(folder.root, name), {
    epsg: 26916,
    type: 'uint8',
    bandCount: 4,
    nodata: null,
    width: size,
    height: size,
    transform: [601_183.5 + number * 1_000, 10, 0, 3_430_444.8, 0, -10],
    compression: 'none',
    predictor: 1,
    blockSize: 256,
    overviews: 'auto',
  });
  const band = new Uint8Array(size * size).fill(7);
  await cog.writeRows([band, band, band, band], size);
  await cog.finish();
}
