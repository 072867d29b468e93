import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { earthSearchItem } from '../../src/ingest/stac/testing/make-items.ts';
import { runSwath } from '../support/start-swath.ts';

/* What a person reads when an ingest finds nothing or may not: what is wrong, and what to do. */

const root = mkdtempSync(join(tmpdir(), 'swath-messages-'));
const dataDir = join(root, 'data');
mkdirSync(dataDir);

/** A server that knows no ranges, as `python3 -m http.server`. */
const server = createServer((_, response) => response.writeHead(200).end('II*\0 and the rest of the file'));
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
const origin = `http://127.0.0.1:${port}`;

after(() => {
  server.close();
  rmSync(root, { recursive: true });
});

const write = (name: string, content: unknown): string => {
  const path = join(root, name);
  writeFileSync(path, JSON.stringify(content));
  return path;
};
const ingest = (args: readonly string[], sources?: string) =>
  runSwath(['ingest', ...args], {
    SWATH_DATA: dataDir,
    ...(sources === undefined ? {} : { SWATH_SOURCES: sources }),
  });

const items = write('items.json', {
  type: 'FeatureCollection',
  features: [earthSearchItem(1, { host: origin })],
});

test('for files on a host with a port, the advice works as given', async () => {
  const { stderr } = await ingest(['stac', items]);
  assert.ok(stderr.includes(`Its files are at ${origin}, which is not allowed`), stderr);
  const [, words = ''] = /\.json file with (.*), because/.exec(stderr) ?? [];
  assert.deepEqual(JSON.parse(`{${words}}`), {
    hosts: ['127.0.0.1'],
    allowHttp: true,
    ports: [port],
    privateNetworks: ['127.0.0.1/32'],
  });
  const sources = write('sources.json', JSON.parse(`{${words}}`));
  const { stderr: next } = await ingest(['stac', items], sources);
  assert.doesNotMatch(next, /not allowed/);
});

test('a host with a port in the short form is answered with the JSON form', async () => {
  const { status, stderr } = await ingest(['stac', items], 'https://data.example.org:8443');
  assert.equal(status, 2);
  assert.match(stderr, /lists "https:\/\/data\.example\.org:8443".*Ports.*name a \.json file/);
});

test('for a wrong value in the JSON form, "got" shows the value, not the file name', async () => {
  const sources = write('wrong.json', { hosts: ['data.example.org:8443'] });
  const { status, stderr } = await ingest(['stac', items], sources);
  assert.equal(status, 2);
  assert.match(stderr, /wrong\.json, in which hosts\.0 is wrong.*"ports".*\(got "data\.example\.org:8443"\)/);
  assert.doesNotMatch(stderr, /got ".*wrong\.json"/);
});

test('a missing folder is not called forbidden', async () => {
  for (const kind of ['folder', 'dem']) {
    const { status, stderr } = await ingest([kind, join(root, 'nowhere')]);
    assert.equal(status, 1, kind);
    assert.match(stderr, /There is no folder .*nowhere/);
    assert.doesNotMatch(stderr, /SWATH_SOURCES/);
  }
});

test('a file in place of a folder is called a file', async () => {
  const { stderr } = await ingest(['folder', items]);
  assert.match(stderr, /items\.json is a file, not a folder/);
});

test('an empty FeatureCollection is a list without items', async () => {
  const empty = write('empty.json', { type: 'FeatureCollection', features: [] });
  const { status, stdout, stderr } = await ingest(['stac', empty]);
  assert.equal(status, 0);
  assert.match(stdout, /Done: 0 added/);
  assert.match(stderr, /There are no items in .*empty\.json\./);
});

test('"Done: 0 added" comes with a reason', async () => {
  const folder = join(dataDir, 'inbox');
  mkdirSync(folder);
  const bare = await ingest(['folder', folder]);
  assert.match(bare.stdout, /Done: 0 added/);
  assert.match(bare.stderr, /No product of a known sensor was found below .*inbox/);
  const filtered = await ingest(['stac', items, '--bbox', '100,10,101,11', '--cloud', '5']);
  assert.match(
    filtered.stderr,
    /None of the 1 items of .*items\.json matches the filters \(--bbox, --cloud\)/,
  );
});

test('a server without ranges is named as the reason', async () => {
  const sources = write('allowed.json', {
    hosts: ['127.0.0.1'],
    allowHttp: true,
    ports: [port],
    privateNetworks: ['127.0.0.0/8'],
  });
  const { status, stderr } = await ingest(['stac', items], sources);
  assert.equal(status, 1);
  assert.match(stderr, /broken .*: .*ignores range requests.*nginx/);
});
