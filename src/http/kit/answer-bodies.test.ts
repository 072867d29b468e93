import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { answerLongJson, toCsv, toJsonPieces, writePieces } from './answer-bodies.ts';

test('the pieces join to the output of JSON.stringify', () => {
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

test('a generator is written as a list', async () => {
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

test('other requests continue while a long response is written', async () => {
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

test('cells are quoted where necessary, and empty for null', () => {
  const rows = [
    ['name', 'value'],
    ['a "b", c', 0.5],
    ['two\nlines', null],
    ['plain', 0],
  ];
  assert.equal(toCsv(rows), 'name,value\r\n"a ""b"", c",0.5\r\n"two\nlines",\r\nplain,0\r\n');
});
