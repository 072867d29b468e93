import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { cutElements, makeElementCutter } from './cut-elements.ts';
import { parseXml } from './parse-xml.ts';

const DOCUMENT = `<?xml version="1.0"?><!-- <p> --><k:root a="p>">
 <p/><x>]]<k:p id=">"><p>in<noted/></p><![CDATA[</p></p>]]></k:p>></x>\t<p  b='/>'>1 &amp; 2</p ><q/>
 <p>a<!-- </p> --><?go </p> ?></p><p/>
</k:root>`;

const PARTS = [
  '<p/>',
  '<k:p id=">"><p>in<noted/></p><![CDATA[</p></p>]]></k:p>',
  "<p  b='/>'>1 &amp; 2</p >",
  '<p>a<!-- </p> --><?go </p> ?></p>',
  '<p/>',
];

test('elements are cut out completely, and the rest is still a document', () => {
  const cut = cutElements(DOCUMENT, 'p', ['noted', 'q', 'none']);
  assert.deepEqual(cut?.parts, PARTS);
  assert.equal(parseXml(cut?.rest ?? '', 'rest').text.replaceAll(/\s/g, ''), ']]>');
  assert.equal(cut?.firstIn('noted'), 1);
  assert.equal(cut?.firstIn('q'), null);
  assert.equal(cut?.firstIn('none'), null);
  assert.equal(cutElements('<root><p><q></p>', 'p'), null);
});

test('property: a document in any pieces is cut like the whole one', () => {
  const whole = cutElements(DOCUMENT, 'p');
  fc.assert(
    fc.property(fc.array(fc.nat(DOCUMENT.length), { maxLength: 30 }), (cuts) => {
      const ends = [...cuts.toSorted((a, b) => a - b), DOCUMENT.length];
      const cutter = makeElementCutter({ name: 'p' });
      const parts = ends.flatMap((end, i) => [...cutter.push(DOCUMENT.slice(ends[i - 1] ?? 0, end))]);
      assert.deepEqual(parts, PARTS);
      assert.equal(cutter.end()?.rest, whole?.rest);
    }),
  );
});

test('an element that is too long is omitted, and nothing of it stays in memory', () => {
  const cutter = makeElementCutter({ name: 'p', maxPart: 100 });
  const parts = [...cutter.push('<root><p>')];
  for (let i = 0; i < 100; i += 1) {
    parts.push(...cutter.push('<b>some text</b>'));
    assert.ok(cutter.heldLength < 100);
  }
  parts.push(...cutter.push('</p><p>short</p></root>'));
  assert.deepEqual(parts, [null, '<p>short</p>']);
  assert.equal(cutter.end()?.rest, '<root></root>');
});

test('ten thousand adjacent elements leave a short rest', () => {
  const cutter = makeElementCutter({ name: 'p' });
  let count = [...cutter.push('<root>')].length;
  for (let i = 0; i < 10_000; i += 1) count += [...cutter.push(`\n<p>${i}</p>`)].length;
  count += [...cutter.push('</root>')].length;
  assert.equal(count, 10_000);
  assert.ok(cutter.heldLength < 11_000);
});
