import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LongJson, parseJsonBody, writeJson } from './json-body.ts';
import { limits } from './limits.ts';

const parse = (text: string): unknown => parseJsonBody(new TextEncoder().encode(text));

const positions = Array.from({ length: 5_000 }, (_, i) => [i / 3, -i / 7]);
const polygon = { type: 'Polygon', coordinates: [positions] };

test('long lists of positions stay text, and are written as they were sent', () => {
  const body = { type: 'x', params: { geometry: polygon, bands: ['B04'], note: 'a "]" and a \\' } };
  const text = JSON.stringify(body);
  assert.ok(text.length > limits.longListChars);
  const parsed = parse(text) as typeof body;
  const { coordinates } = parsed.params.geometry as { coordinates: unknown };
  assert.ok(coordinates instanceof LongJson);
  assert.equal(coordinates.text, JSON.stringify(polygon.coordinates));
  assert.deepEqual(parsed.params.bands, ['B04']);
  assert.equal(parsed.params.note, body.params.note);
  assert.equal(writeJson(parsed.params.geometry), JSON.stringify(polygon));
  assert.equal(writeJson(parsed), text);
});

test('short lists, and long ones of texts or numbers, are parsed', () => {
  const body = { list: Array.from({ length: 20_000 }, (_, i) => `${i} [`), pairs: [[1, '#fff']] };
  assert.deepEqual(parse(JSON.stringify(body)), body);
});

test('several long lists, one inside of a list of features, keep their order', () => {
  const body = { a: { features: [{ geometry: polygon }] }, b: { ...polygon }, c: 1 };
  const parsed = parse(JSON.stringify(body)) as { readonly a: object; readonly b: object };
  assert.equal(writeJson(parsed.a), JSON.stringify(body.a));
  assert.equal(writeJson(parsed.b), JSON.stringify(body.b));
});

test('a text that looks like a pattern of replacements is written as it is', () => {
  const odd = { name: '$& $1 $$', coordinates: [positions] };
  assert.equal(writeJson(parse(JSON.stringify(odd))), JSON.stringify(odd));
});

test('what is not JSON is refused, also next to long lists', () => {
  const text = JSON.stringify(polygon);
  for (const wrong of [`${text}}`, text.slice(0, -1), `{"a": ${text} "b"}`, '{', '[1,]'])
    assert.throws(() => parse(wrong), { code: 'bad-json' });
  assert.throws(() => parse(`${'['.repeat(40)}1${']'.repeat(40)}`), { code: 'json-too-deep' });
});
