/**
 * Replays real exchanges with Earth Search and the Planetary Computer, and asks whether our client understands them: what
 * the APIs can do, which collections they have, their pages, items and errors. The recordings lie in the folder
 * `shared/data` next to the checkout; without it there is nothing to check.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { makeCatalogClient, toApi } from '../../../src/live/catalog-client.ts';
import { openCatalogDoor } from '../../../src/live/catalog-door.ts';
import { tryHit, tryItem } from '../../../src/live/hit-stream.ts';
import type { LiveCatalog } from '../../../src/live/live-catalog.ts';
import { earthSearch } from '../../../src/live/presets/earth-search.ts';
import { planetaryComputer } from '../../../src/live/presets/planetary-computer.ts';

/** One exchange. */
interface Exchange {
  readonly method: string;
  readonly uri: string;
  readonly request_body: string | null;
  readonly status: number;
  readonly body: string;
}

const folder = fileURLToPath(new URL('../../../../shared/data/stac_api_recordings/', import.meta.url));
const NEVER = new AbortController().signal;

const readExchanges = (name: string): readonly Exchange[] =>
  gunzipSync(readFileSync(`${folder}${name}.ndjson.gz`))
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Exchange);

/** A body with its names in order: ours and the recorded one may differ in nothing else. */
const toKey = (method: string, path: string, body: string | null): string => {
  const sorted = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(sorted)
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(
            Object.entries(value)
              .toSorted(([a], [b]) => (a < b ? -1 : 1))
              .map(([name, one]) => [name, sorted(one)]),
          )
        : value;
  return `${method} ${path} ${body ? JSON.stringify(sorted(JSON.parse(body))) : ''}`;
};

/** Answers what was asked then as it was answered then; anything else is a 501. */
async function startReplay(host: string, exchanges: readonly Exchange[]) {
  const answers = new Map(
    exchanges.map((one) => [
      toKey(one.method, one.uri.slice(`https://${host}`.length), one.request_body),
      one,
    ]),
  );
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const found = answers.get(
        toKey(request.method ?? '', request.url ?? '', Buffer.concat(parts).toString()),
      );
      response.writeHead(found?.status ?? 501, { 'content-type': 'application/json' });
      // Links lead to the replay too.
      response.end(found?.body.replaceAll(`https://${host}`, origin) ?? '{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return { origin, port, close: () => server.close() };
}

/** Checks one catalog; returns what was seen. */
async function check(preset: LiveCatalog): Promise<string> {
  const { host, pathname } = new URL(preset.url);
  const exchanges = readExchanges(host);
  const replay = await startReplay(host, exchanges);
  try {
    const sources = {
      hosts: ['127.0.0.1'],
      allowHttp: true,
      ports: [replay.port],
      privateNetworks: ['127.0.0.0/8'],
    };
    const catalog = { ...preset, url: `${replay.origin}${pathname}`, sources } as LiveCatalog;
    const client = makeCatalogClient(catalog, openCatalogDoor(catalog, {}).fetch);
    const landing = exchanges.find(({ uri }) => uri === preset.url);
    assert.ok(landing !== undefined, 'the landing page');
    const { filter, sort, fields } = toApi(JSON.parse(landing.body));
    assert.deepEqual({ sort, fields }, { sort: preset.api?.sort, fields: preset.api?.fields });
    // An API may have both languages: what the preset says must be one of them.
    assert.ok(filter === preset.api?.filter || landing.body.includes(`item-search#${preset.api?.filter}`));
    const guessing = makeCatalogClient({ ...catalog, isGuessed: true }, openCatalogDoor(catalog, {}).fetch);
    const listed = new Set((await guessing.readCollections(NEVER)).map(({ collection }) => collection));
    for (const { collection } of preset.collections) assert.ok(listed.has(collection), collection);
    for (const { uri, status } of exchanges.filter((one) => one.status === 404)) {
      const [, collection = '', item] = /\/collections\/([^/?]+)(?:\/items\/([^/?]+))?$/.exec(uri) ?? [];
      const found = await (item === undefined
        ? client.readCollection(collection, NEVER)
        : client.readItem(collection, item, NEVER));
      assert.equal(found, null, `${status} ${uri}`);
    }
    let [pages, items, hits] = [0, 0, 0];
    const datasets = new Set(preset.collections.map(({ collection }) => collection));
    const searches = exchanges.filter(
      ({ method, uri, status }) => method === 'POST' && uri === `${preset.url}/search` && status === 200,
    );
    for (const { request_body: asked, body } of searches) {
      const expected = (JSON.parse(body) as { features: readonly { id: string; collection: string }[] })
        .features;
      const found: unknown[] = [];
      for await (const one of client.search(JSON.parse(asked ?? '{}'), () => NEVER)) {
        if (one.kind === 'item') found.push(one.value);
        if (found.length === expected.length) break;
      }
      assert.deepEqual(
        found.map((one) => (one as { id: string }).id),
        expected.map(({ id }) => id),
      );
      pages += 1;
      items += found.length;
      for (const [i, value] of found.entries()) {
        const item = tryItem(value);
        assert.ok(item !== null, expected[i]?.id);
        if (!datasets.has(expected[i]?.collection ?? '')) continue;
        const hit = await tryHit(item, async () => null);
        // Some were asked for without their properties.
        if (hit !== null) hits += 1;
      }
    }
    assert.ok(hits > 0, 'no item is a scene of ours');
    return `${preset.name}: ${exchanges.length} exchanges, ${pages} pages with ${items} items, ${hits} of them scenes of ours`;
  } finally {
    replay.close();
  }
}

if (!existsSync(folder)) console.log('There are no recordings next to this checkout: nothing to check.');
else for (const preset of [earthSearch, planetaryComputer]) console.log(await check(preset));
