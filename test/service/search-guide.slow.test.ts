/** docs/use/search.md: its fields are fields of the sensors, and its searches work on the demo. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { sensorByDataset, sensors } from '../../src/sensors/index.ts';
import { serveDemo } from '../support/serve-demo.ts';
import { SERVICE_KEY } from '../support/start-swath.ts';

const guide = readFileSync(new URL('../../docs/use/search.md', import.meta.url), 'utf8');
const demo = serveDemo();

/** The table of fields: names and types, one of each or equally many. */
const fields = [...guide.matchAll(/^\| (`\w+`(?:, `\w+`)*) \| ([a-z, ]+) \| (.*?) \|$/gm)].flatMap(
  ([, names = '', types = '', datasets = '']) => {
    const each = types.split(', ');
    return names.split(', ').map((name, i) => ({
      name: name.slice(1, -1),
      type: each[i] ?? each[0],
      isOfAll: datasets.startsWith('all'),
    }));
  },
);

test('the fields in docs/use/search.md exist with these types, and all datasets have the common ones', () => {
  const typesOf = (name: string) =>
    sensors.flatMap(({ hit }) => hit.filter((field) => field.name === name).map(({ type }) => type));
  assert.ok(fields.length >= 15, `${fields.length} fields`);
  for (const { name, type, isOfAll } of fields) {
    assert.deepEqual([...new Set(typesOf(name))], [type], name);
    if (isOfAll) assert.equal(typesOf(name).length, sensors.length, name);
  }
  for (const { name, filter } of sensorByDataset('sentinel2')!.hit) {
    if (!fields.some((field) => field.name === name)) continue;
    const row = guide.split('\n').find((line) => line.startsWith(`| \`${name}\` `)) ?? '';
    assert.equal(/cannot be filtered|filter by/.test(row), filter === 'none', name);
  }
});

const searches = [...guide.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(
  ([, text = '']) => JSON.parse(text) as { readonly search: { readonly satellites?: readonly string[] } },
);

async function find(body: { readonly search: { readonly satellites?: readonly string[] } }) {
  const dataset = body.search.satellites === undefined ? '/sentinel2l2a' : '';
  const response = await fetch(`${demo.swath.url}/api/lms/search/v2${dataset}`, {
    method: 'POST',
    headers: { 'x-api-key': SERVICE_KEY, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as { meta?: { found: number } } };
}

test('every search of docs/use/search.md finds the scene of the demo', async () => {
  assert.ok(searches.length >= 3, `${searches.length} searches`);
  for (const search of searches) {
    const { status, body } = await find(search);
    assert.equal(status, 200, JSON.stringify(body));
    assert.ok((body.meta?.found ?? 0) > 0, JSON.stringify(search));
  }
});

test('every filter and every relation in the table of docs/use/search.md exists', async () => {
  const filters = [...guide.matchAll(/^\| `("\w+": .*?)` \|/gm)].map(
    ([, text]) => JSON.parse(`{${text}}`) as object,
  );
  assert.ok(filters.length >= 4, `${filters.length} filters`);
  for (const search of filters) {
    const { body } = await find({ search });
    assert.equal(body.meta?.found, 1, JSON.stringify(search));
  }
  const shape = { type: 'Point', coordinates: [-122.41, 48.22] };
  const relations = [...guide.matchAll(/^\| `([A-Z]+)`/gm)].map(([, word]) => word!);
  assert.ok(relations.length >= 3, relations.join());
  for (const shapeRelation of relations) {
    const { status } = await find({ search: { shape, shapeRelation } as object });
    assert.equal(status, 200, shapeRelation);
  }
});
