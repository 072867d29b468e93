import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../testing/any-text.ts';
import { makeEntryNames, toMetadataName } from './pack-archive.ts';

const nameOf = (label: string, url: string): string => makeEntryNames()(toMetadataName(label, url));

test('a label becomes a plain name with the extension of its file', () => {
  for (const [label, url, name] of [
    ['tile info', 'tileInfo.json', 'tile_info.json'],
    ['MTL.txt', 'a/LC08_MTL.txt', 'MTL.txt'],
    ['manifest', 'manifest.safe', 'manifest.safe'],
    ['../../etc/passwd', 'x.xml', 'etc-passwd.xml'],
    ['C:\\x', 'x.xml', 'C-x.xml'],
    ['a\0b\r\nc', 'x.xml', 'a-b_c.xml'],
    ['Übersicht', 'x.xml', 'Ubersicht.xml'],
    ['地図', 'x.xml', 'metadata.xml'],
    ['', 'x.xml', 'metadata.xml'],
    ['...', 'x.XML', 'metadata.XML'],
  ] as const) {
    assert.equal(nameOf(label, url), name, label);
  }
});

test('names in one archive differ, also where case is ignored', () => {
  const toName = makeEntryNames();
  const names = ['a', 'A', 'a', 'a_2'].map((stem) => toName({ stem, extension: 'xml' }));
  assert.deepEqual(names, ['a.xml', 'A_2.xml', 'a_3.xml', 'a_2_2.xml']);
});

test('any label becomes a name that unpacks anywhere', () => {
  fc.assert(
    fc.property(anyText({ maxLength: 400 }), (label) => {
      const name = nameOf(label, 'x.xml');
      assert.match(name, /^[A-Za-z0-9_][A-Za-z0-9._-]*\.xml$/);
      assert.ok(name.length <= 120 && !name.includes('..'));
    }),
  );
});
