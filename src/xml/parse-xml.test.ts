import assert from 'node:assert/strict';
import { test } from 'node:test';
import { childrenOf, descendantsOf, parseXml, textAt, tryParseXml } from './index.ts';

const refusesAs = (text: string, sentence: RegExp) =>
  assert.throws(() => parseXml(text, 'a.xml'), { code: 'metadata-bad-xml', message: sentence });

test('elements are found by their names without prefix, in document order', () => {
  const root = parseXml('<a:r xmlns:a="x"><b><c>1</c></b><a:b><c> 2 </c></a:b><d/></a:r>', 'a.xml');
  assert.equal(textAt(root, 'b/c'), '1');
  assert.equal(textAt(root, 'd'), null);
  assert.equal(textAt(root, 'b/x'), null);
  assert.deepEqual(
    descendantsOf(root, 'c').map(({ text }) => text.trim()),
    ['1', '2'],
  );
  assert.equal(childrenOf(root, 'b').length, 2);
});

test('a file that is not XML is refused with its name', () => {
  refusesAs('', /^The file a\.xml /);
  refusesAs('{"json": true}', /not well-formed/);
  refusesAs('<a><b></a>', /not well-formed/);
  refusesAs('<a>&unknown;</a>', /not well-formed/);
});

test('document types are refused, so that no entity can be declared', () => {
  refusesAs('<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', /document type/);
});

test('documents that are too deep are refused before they are parsed, whatever comments contain', () => {
  refusesAs(`${'<a>'.repeat(101)}${'</a>'.repeat(101)}`, /deeper than 100/);
  refusesAs('<a>'.repeat(1_000_000), /deeper than 100/);
  const commented = `<a><!-- ${'<b>'.repeat(200)} --><![CDATA[${'<c>'.repeat(200)}]]></a>`;
  assert.equal(parseXml(commented, 'a.xml').name, 'a');
});

test('depth is counted as the parser sees it, whatever attributes and instructions contain', () => {
  refusesAs('<a b="/>">'.repeat(10_000), /deeper than 100/);
  refusesAs(`<?x ${'</a>'.repeat(10_000)}?>${'<a>'.repeat(10_000)}`, /deeper than 100/);
  const flat = `<?xml version="1.0"?><a>${`<b c="'>" d='">'/>`.repeat(200)}<?x ${'<b>'.repeat(200)}?></a>`;
  assert.equal(childrenOf(parseXml(flat, 'a.xml'), 'b').length, 200);
});

test('an element nested in one of the same name is part of it', () => {
  const root = parseXml('<a><b>1<b>2</b></b><c><b>3</b></c></a>', 'a.xml');
  assert.deepEqual(
    descendantsOf(root, 'b').map(({ text }) => text),
    ['12', '3'],
  );
});

test('documents with too many elements are refused', () => {
  refusesAs(`<a>${'<b/>'.repeat(1_000_001)}</a>`, /more than 1000000 elements/);
});

test('an element with too many attributes is refused', () => {
  const attributes = (count: number) => Array.from({ length: count }, (_, i) => ` a${i}="1"`).join('');
  assert.equal(Object.keys(parseXml(`<a${attributes(256)}/>`, 'a.xml').attributes).length, 256);
  refusesAs(`<a><b${attributes(257)}/></a>`, /more than 256 attributes/);
});

test('an optional document is null if it cannot be read', () => {
  assert.equal(tryParseXml('<a />', 'a.xml', 4), null);
  assert.equal(tryParseXml('<a/>', 'a.xml', 4)?.name, 'a');
  for (const text of ['', '<a>', '<!DOCTYPE a><a/>', '<a>'.repeat(1_000_000)]) {
    assert.equal(tryParseXml(text, 'a.xml', 10_000_000), null);
  }
});
