import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  answerLongJson,
  LongJson,
  makeBodyBudget,
  parseJsonBody,
  readBody,
  toCsv,
  toJsonPieces,
  writeJson,
  writePieces,
} from './bodies.ts';
import { limits } from './limits.ts';

test('a caller fills its own part of the budget, all together the whole, and both get it back', () => {
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

test('a body comes whole, and its bytes are counted while it does', async () => {
  const budget = makeBodyBudget({ maxBytes: 100, maxBytesPerOwner: 100 });
  assert.equal((await read(inChunks(10, 10), 100, budget)).length, 100);
  assert.equal((await read(inChunks(0, 0), 100, budget)).length, 0);
  assert.equal((await read(inChunks(1, 100), 100, budget)).length, 100, 'all was given back');
  await assert.rejects(read(inChunks(2, 60), 200, budget), { code: 'too-many-bodies' });
  assert.equal((await read(inChunks(1, 100), 100, budget)).length, 100, 'after a refusal too');
});

test('a body past its limit is refused, and so is one in tiny chunks', async () => {
  await assert.rejects(read(inChunks(2, 60), 100), { tag: 'too-large', code: 'body-too-large' });
  await assert.rejects(read(inChunks(5_000, 1)), { tag: 'bad-input', code: 'body-chunks-too-small' });
  assert.equal((await read(inChunks(1_000, 1))).length, 1_000);
  assert.equal((await read(inChunks(5_000, 100))).length, 500_000);
});

test('a body that ends too early is cancelled, whatever ended it', async () => {
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

test('pieces together are what JSON.stringify writes', () => {
  const anything = fc.anything({ withDate: true, withNullPrototype: true, maxDepth: 4 });
  fc.assert(
    fc.property(
      fc.oneof(fc.dictionary(fc.string(), anything), fc.array(anything, { maxLength: 60 })),
      (value) => {
        // Sets and maps are not JSON; a list that is made on demand is.
        assert.equal([...toJsonPieces(value)].join(''), JSON.stringify(value));
      },
    ),
  );
});

test('a list that is made on demand is written as a list', async () => {
  function* count() {
    for (let i = 0; i < 3; i++) yield { i };
  }
  const { headers, body } = await answerLongJson({ meta: { found: 3 }, results: count() }, { headers: {} });
  assert.equal(headers.get('content-type'), 'application/json');
  assert.equal(
    String(body && Buffer.from(body as Uint8Array)),
    '{"meta":{"found":3},"results":[{"i":0},{"i":1},{"i":2}]}',
  );
});

test('others go on while a long answer is written', async () => {
  let turns = 0;
  const count = (): void => {
    turns += 1;
    if (turns < 1e6) immediate = setImmediate(count);
  };
  let immediate = setImmediate(count);
  function* slowly() {
    for (let i = 0; i < 10; i++) {
      const until = performance.now() + 5;
      while (performance.now() < until);
      yield 'é';
    }
  }
  const bytes = await writePieces(slowly());
  clearImmediate(immediate);
  assert.equal(new TextDecoder().decode(bytes), 'é'.repeat(10));
  assert.ok(turns >= 9, `${turns} turns`);
});

test('cells are quoted where they must be, and empty where nothing is known', () => {
  const rows = [
    ['name', 'value'],
    ['a "b", c', 0.5],
    ['two\nlines', null],
    ['plain', 0],
  ];
  assert.equal(toCsv(rows), 'name,value\r\n"a ""b"", c",0.5\r\n"two\nlines",\r\nplain,0\r\n');
});
