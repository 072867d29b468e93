import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { inflateSync } from 'node:zlib';
import { makePdfFile, toPdfNumber, toPdfText } from './pdf-file.ts';
import { makePdfFont } from './pdf-font.ts';
import { readTrueType } from './true-type.ts';

const REGULAR = new URL(
  import.meta.resolve('@expo-google-fonts/open-sans/400Regular/OpenSans_400Regular.ttf'),
);

const readFile = async (blob: Blob): Promise<Buffer> => Buffer.from(await blob.arrayBuffer());

test('every offset in the table points to its object', async () => {
  const file = makePdfFile();
  const later = file.reserve();
  const stream = await file.addStream('BT ET');
  const info = file.add('<< /Title (x) >>');
  file.add('<< /Type /Catalog >>', later);
  const bytes = await readFile(file.finish(later, info));
  const text = bytes.toString('latin1');
  assert.match(text, /^%PDF-1\.7\n/);
  const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1]);
  assert.ok(text.slice(start).startsWith('xref\n0 4\n'));
  const rows = [...text.slice(start).matchAll(/^(\d{10}) 00000 n $/gm)].map(([, offset]) => Number(offset));
  assert.deepEqual(
    rows.map((offset) => Number(/^\d+/.exec(text.slice(offset))?.[0])),
    [later, stream, info],
  );
  const begin = text.indexOf('stream\n', rows[1]) + 'stream\n'.length;
  const length = Number(/\/Length (\d+)/.exec(text.slice(rows[1]))?.[1]);
  assert.equal(inflateSync(bytes.subarray(begin, begin + length)).toString(), 'BT ET');
});

test('no text can terminate its string', () => {
  assert.equal(toPdfText('a)>'), '<FEFF00610029003e>');
  assert.equal(toPdfText('Ї'), '<FEFF0407>');
  assert.equal(toPdfNumber(1 / 3), '0.333');
});

test('a font writes glyph numbers, and the character of each', async () => {
  const font = makePdfFont(readTrueType(new Uint8Array(readFileSync(REGULAR))), 'OpenSans-Regular');
  assert.ok(font.has('Поле Їжак, 1 234 ha²'));
  assert.ok(!font.has('田'));
  const encoded = font.encode('Їа');
  assert.match(encoded, /^[0-9a-f]{8}$/);
  const file = makePdfFile();
  const number = await font.addTo(file);
  const bytes = await readFile(file.finish(number, number));
  const text = bytes.toString('latin1');
  const streams = [...text.matchAll(/\/Length (\d+)[^>]*>>\nstream\n/g)].map(
    ({ index, 0: head, 1: length }) =>
      inflateSync(bytes.subarray(index + head.length, index + head.length + Number(length))).toString(
        'latin1',
      ),
  );
  const map = streams.find((stream) => stream.includes('beginbfchar')) ?? '';
  assert.ok(map.includes(`<${encoded.slice(0, 4)}> <0407>`), map);
  assert.ok(map.includes(`<${encoded.slice(4)}> <0430>`), map);
});
