import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../testing/any-text.ts';
import { casesOf } from '../../testing/test-size.ts';
import { JsonBytes } from './json-bytes.ts';
import {
  compileEntries,
  compileTemplate,
  fillTemplate,
  partHole,
  toInner,
  wholeHole,
} from './json-template.ts';

/** What is written of some text, number and list; the text stands in two places. */
const toDocument = (text: string, list: unknown) => ({
  ä: { href: `https://maps.example/${text}/a`, list },
  title: text,
  same: 'ünd',
});

const template = compileTemplate(toDocument(partHole(0), wholeHole(1)));

test('property: fillings one after the other are the JSON of their values, behind what was written before', () => {
  const anyList = fc.array(fc.integer({ min: -9, max: 1e6 }), { maxLength: 3 });
  const anyValue = fc.oneof(anyText({ maxLength: 6 }), fc.stringMatching(/^[a-z]{0,4}$/));
  fc.assert(
    fc.property(fc.array(fc.tuple(anyValue, anyList), { minLength: 1, maxLength: 20 }), (all) => {
      const out = new JsonBytes();
      for (const [text, list] of all) {
        out.write('é');
        const begin = out.length;
        fillTemplate(template, [toInner(text), JSON.stringify(list)], out);
        assert.equal(out.since(begin).toString(), JSON.stringify(toDocument(text, list)));
      }
      const whole = all.map(([text, list]) => `é${JSON.stringify(toDocument(text, list))}`).join('');
      assert.equal(out.since(0).toString(), whole);
    }),
    { numRuns: casesOf(200) },
  );
});

test('entries end with a comma, which can be taken back; none have none', () => {
  const out = new JsonBytes();
  out.write('{');
  fillTemplate(compileEntries({}), [], out);
  out.dropComma();
  fillTemplate(compileEntries({ a: wholeHole(0), b: 2 }), ['[1]'], out);
  assert.equal(out.since(0).toString(), '{"a":[1],"b":2,');
  out.dropComma();
  out.dropComma();
  out.write('}');
  assert.deepEqual(JSON.parse(out.since(0).toString()), { a: [1], b: 2 });
});

test('bytes grow with what is written', () => {
  const out = new JsonBytes();
  const text = 'ä'.repeat(100_000);
  out.write(text);
  out.copy(Buffer.from('b'.repeat(1_000_000)));
  assert.equal(out.since(0).toString(), text + 'b'.repeat(1_000_000));
  out.clear();
  assert.equal(out.length, 0);
});
