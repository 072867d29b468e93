import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { acceptedCollections, makeIsAllowedHref } from '../../ingest/index.ts';
import { sensors } from '../../sensors/index.ts';
import { findCatalogProblems } from '../check-catalog.ts';
import type { LiveCollection } from '../live-catalog.ts';
import { knownCollections, presets } from './all-presets.ts';

test('every preset is well-formed, has a unique name and can be passed to a thread', () => {
  for (const preset of presets) {
    assert.deepEqual(findCatalogProblems(preset), [], preset.name);
    assert.deepEqual(structuredClone(preset), preset);
    assert.equal(new URL(preset.url).protocol, 'https:');
  }
  assert.equal(new Set(presets.map(({ name }) => name)).size, presets.length);
});

test('presets read files by https and S3 only: no other port, no private network', () => {
  const HOST = /^[a-z0-9-]+(?:\.[a-z0-9-]+){2,}$/;
  for (const { sources } of presets) {
    assert.deepEqual(
      Object.keys(sources).filter((word) => !['hosts', 's3', 'tokens'].includes(word)),
      [],
    );
    for (const host of sources.hosts ?? []) assert.match(host, HOST);
    for (const { endpoint, credentials } of sources.s3 ?? []) {
      if (endpoint !== undefined) assert.equal(new URL(endpoint).protocol, 'https:');
      assert.equal(credentials, undefined);
    }
    for (const { hosts, endpoint } of sources.tokens ?? []) {
      assert.equal(new URL(endpoint).protocol, 'https:');
      for (const host of hosts) assert.ok(sources.hosts?.includes(host), host);
    }
  }
});

test('terrain tiles are at addresses that the preset may read', () => {
  for (const { name, terrain, sources } of presets) {
    if (terrain === null) continue;
    const isAllowed = makeIsAllowedHref({ dataDir: '/data', folders: [], network: sources });
    assert.ok(isAllowed(terrain.files?.replaceAll('{cell}', 'cell') ?? ''), name);
  }
});

test('items of every entry become scenes of its dataset, and can be found by name', () => {
  for (const { collection, dataset, locate } of [
    ...presets.flatMap((one) => one.collections),
    ...knownCollections,
  ]) {
    const accepted = acceptedCollections.find((one) => one.collection === collection);
    assert.ok(accepted?.datasets.includes(dataset), `${collection}: ${dataset}`);
    assert.notDeepEqual(locate, {}, collection);
  }
});

test('your own catalog may have every collection that ingest accepts', () => {
  const known = new Set(knownCollections.map(({ collection }) => collection));
  assert.deepEqual(
    acceptedCollections.map(({ collection }) => collection).filter((collection) => !known.has(collection)),
    [],
  );
});

test('together the presets have every dataset with a public catalog', () => {
  const datasets = new Set(presets.flatMap(({ collections }) => collections.map(({ dataset }) => dataset)));
  const missing = sensors.map(({ dataset }) => dataset).filter((dataset) => !datasets.has(dataset));
  assert.deepEqual(
    missing.filter((dataset) => !dataset.startsWith('cbers4')),
    ['planetscope'],
  );
});

test('a wrong entry is refused with the reason', () => {
  const [preset] = presets;
  const [entry] = preset!.collections;
  const find = (wrong: Partial<LiveCollection>) =>
    findCatalogProblems({ ...preset!, collections: [{ ...entry!, ...wrong }] }).join();
  assert.match(find({ dataset: 'sentinel9' }), /there is no dataset "sentinel9"/);
  assert.match(find({ properties: { clouds: { name: 'eo:cloud_cover' } } }), /no field "clouds"/);
  // Built for each answer.
  assert.match(find({ properties: { tms: { name: 'x' } } }), /no field "tms"/);
  assert.match(find({ locate: { id: '{path}' } }), /not every view id of sentinel2l2a has a part {path}/);
  assert.match(find({ locate: { id: '{utmZone:x}' } }), /has a brace/);
  assert.match(find({ since: '2015-02-30' }), /since must be a day/);
  // Product ids of Landsat have a level, and scene ids have none; a checksum may be missing.
  assert.match(find({ dataset: 'landsat8', properties: {}, locate: { id: '{level}' } }), /part {level}/);
  assert.match(
    find({ dataset: 'sentinel1', properties: {}, locate: { id: '{checksum}' } }),
    /part {checksum}/,
  );
  for (const url of ['https://a.test/', 'ftp://a.test', 'https://a.test?x', 'https://u:p@a.test', 'a.test'])
    assert.match(findCatalogProblems({ ...preset!, url }).join(), /its url must/, url);
  assert.match(findCatalogProblems({ ...preset!, name: 'Earth Search' }).join(), /its name/);
  assert.match(findCatalogProblems({ ...preset!, collections: [] }).join(), /no collections/);
});

test('docs/use/earth.md has a row for each preset, with licence and costs', () => {
  const page = readFileSync(new URL('../../../docs/use/earth.md', import.meta.url), 'utf8');
  for (const { name, licence, costs, collections } of presets) {
    const row = page.split('\n').find((line) => line.startsWith(`| \`${name}\` |`)) ?? '';
    for (const text of [licence, costs]) assert.ok(row.includes(text), `${name}: ${text}`);
    const years = collections.map(({ since }) => since.slice(0, 4)).toSorted();
    assert.ok(row.includes(`${years[0]}`), `${name}: ${years[0]}`);
  }
});
