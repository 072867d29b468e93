import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { LANGUAGES, loadMessages } from '../../texts/choose-texts.ts';
import { english } from '../../texts/en.ts';
import { readTrueType } from './true-type.ts';

const REGULAR = new URL(
  import.meta.resolve('@expo-google-fonts/open-sans/400Regular/OpenSans_400Regular.ttf'),
);
const file = new Uint8Array(readFileSync(REGULAR));
const font = readTrueType(file);
const glyphOf = (character: string): number => font.glyphOf(character.codePointAt(0) ?? 0);

test('the font has every letter of every page language', async () => {
  for (const { code } of LANGUAGES) {
    const words = JSON.stringify(code === 'en' ? english : await loadMessages(code)).replaceAll(
      /["\\{}]/g,
      '',
    );
    const missing = new Set([...words].filter((character) => glyphOf(character) === 0));
    // Keys and arrows of hints, which no report shows.
    assert.deepEqual(
      [...missing].filter((character) => /\p{L}|\p{N}/u.test(character)),
      [],
      code,
    );
  }
});

test('glyphs differ, and have the widths of the font', () => {
  assert.notEqual(glyphOf('A'), glyphOf('Б'));
  assert.equal(font.unitsPerEm, 2048);
  assert.ok(font.advanceOf(glyphOf('W')) > 2 * font.advanceOf(glyphOf('i')));
  assert.equal(font.glyphOf(0x4e2d), 0, 'no Chinese');
});

test('a subset font keeps the outlines of its glyphs and of their parts, and no others', () => {
  const [letter, accented, other] = ['e', 'é', 'Q'].map(glyphOf) as [number, number, number];
  const part = font.subset([accented]);
  assert.ok(part.length < file.length / 4, `${part.length} of ${file.length} bytes`);
  const view = new DataView(part.buffer);
  const tables = new Map(
    Array.from({ length: view.getUint16(4) }, (_, i) => {
      const at = 12 + 16 * i;
      return [String.fromCharCode(...part.subarray(at, at + 4)), view.getUint32(at + 8)];
    }),
  );
  const locaAt = tables.get('loca') ?? 0;
  const lengthOf = (glyph: number): number =>
    view.getUint32(locaAt + 4 * glyph + 4) - view.getUint32(locaAt + 4 * glyph);
  assert.ok(lengthOf(accented) > 0);
  assert.ok(lengthOf(letter) > 0, 'é is made of e');
  assert.equal(lengthOf(other), 0);
  assert.equal(view.getInt16((tables.get('head') ?? 0) + 50), 1);
});
