import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { LongJson, makeBodyBudget, parseJsonBody, readBody, writeJson } from './bodies.ts';
import { limits } from './limits.ts';

test('each caller can use its share of the budget, all callers the whole of it, and released bytes can be used again', () => {
  const budget = makeBodyBudget({ maxBytes: 30, maxBytesPerOwner: 20 });
  budget.take('a', 20);
  assert.throws(() => budget.take('a', 1), { tag: 'too-busy', code: 'too-many-bodies' });
  budget.take('b', 10);
  assert.throws(() => budget.take('b', 1), { code: 'too-many-bodies' });
  budget.give('a', 5);
  budget.take('b', 5);
  assert.throws(() => budget.take('c', 1), { code: 'too-many-bodies' });
});

const GENEROUS = { maxBytes: 2 ** 30, maxBytesPerOwner: 2 ** 30 };
const read = (body: Readable, maxBytes = 2 ** 20, budget = makeBodyBudget(GENEROUS)) =>
  readBody(body, { maxBytes, owner: 'a', budget });
const inChunks = (count: number, bytes: number): Readable =>
  Readable.from(
    Array.from({ length: count }, () => Buffer.alloc(bytes, 'a')),
    { objectMode: false },
  );

test('a body is read completely, and its bytes count towards the budget while it is read', async () => {
  const budget = makeBodyBudget({ maxBytes: 100, maxBytesPerOwner: 100 });
  assert.equal((await read(inChunks(10, 10), 100, budget)).length, 100);
  assert.equal((await read(inChunks(0, 0), 100, budget)).length, 0);
  assert.equal((await read(inChunks(1, 100), 100, budget)).length, 100, 'all was given back');
  await assert.rejects(read(inChunks(2, 60), 200, budget), { code: 'too-many-bodies' });
  assert.equal((await read(inChunks(1, 100), 100, budget)).length, 100, 'after a refusal too');
});

test('a body over its limit is refused, and so is one in tiny chunks', async () => {
  await assert.rejects(read(inChunks(2, 60), 100), { tag: 'too-large', code: 'body-too-large' });
  await assert.rejects(read(inChunks(5_000, 1)), { tag: 'bad-input', code: 'body-chunks-too-small' });
  assert.equal((await read(inChunks(1_000, 1))).length, 1_000);
  assert.equal((await read(inChunks(5_000, 100))).length, 500_000);
});

test('a body that ends too early is cancelled, whatever the cause', async () => {
  for (const error of [undefined, new Error('reset')]) {
    const body = new Readable({ read() {} });
    body.push('half');
    const reading = read(body);
    body.destroy(error);
    await assert.rejects(reading, { tag: 'cancelled', code: 'body-incomplete' });
  }
});

const parse = (text: string): unknown => parseJsonBody(new TextEncoder().encode(text));

const positions = Array.from({ length: 5_000 }, (_, i) => [i / 3, -i / 7]);
const polygon = { type: 'Polygon', coordinates: [positions] };

test('long lists of positions stay unparsed, and are written as they were sent', () => {
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

test('short lists, and long lists of strings or numbers, are parsed', () => {
  const body = { list: Array.from({ length: 20_000 }, (_, i) => `${i} [`), pairs: [[1, '#fff']] };
  assert.deepEqual(parse(JSON.stringify(body)), body);
});

test('several long lists, one inside a list of features, keep their order', () => {
  const body = { a: { features: [{ geometry: polygon }] }, b: { ...polygon }, c: 1 };
  const parsed = parse(JSON.stringify(body)) as { readonly a: object; readonly b: object };
  assert.equal(writeJson(parsed.a), JSON.stringify(body.a));
  assert.equal(writeJson(parsed.b), JSON.stringify(body.b));
});

test('a string that looks like a replacement pattern is written unchanged', () => {
  const odd = { name: '$& $1 $$', coordinates: [positions] };
  assert.equal(writeJson(parse(JSON.stringify(odd))), JSON.stringify(odd));
});

test('invalid JSON is refused, also next to long lists', () => {
  const text = JSON.stringify(polygon);
  for (const wrong of [`${text}}`, text.slice(0, -1), `{"a": ${text} "b"}`, '{', '[1,]'])
    assert.throws(() => parse(wrong), { code: 'bad-json' });
  assert.throws(() => parse(`${'['.repeat(40)}1${']'.repeat(40)}`), { code: 'json-too-deep' });
});
