import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toNumber, toUtcTime } from '../metadata/values.ts';
import { parseCbersXml } from './cbers4/cbers-xml.ts';
import { parseNaipMetadata } from './naip/naip-metadata.ts';
import { cbersXml } from './testing/cbers-text.ts';

test("INPE's XML tells time, sun, corners and gains", () => {
  const metadata = parseCbersXml(cbersXml, 'x.xml');
  assert.deepEqual([metadata.camera, metadata.level, metadata.path, metadata.row], ['MUX', 2, 90, 84]);
  assert.equal(metadata.acquiredAt, '2017-05-28T09:01:17.925Z');
  assert.deepEqual([metadata.sunElevationDeg, metadata.sunAzimuthDeg], [70.3079, 66.2923]);
  assert.deepEqual(metadata.corners?.[0], [23.6, 14.9]);
  assert.deepEqual(metadata.gains, { 5: 1.51123, 6: 1.5762 });
  assert.throws(() => parseCbersXml('<prdf/>', 'x'), { code: 'metadata-wrong-kind' });
  assert.throws(() => parseCbersXml(cbersXml.replace('<path>90</path>', ''), 'x'), {
    code: 'metadata-incomplete',
  });
});

test('the state of a NAIP image is found in all three forms of its metadata', () => {
  const text =
    'Metadata:\n  State_or_Province: UT\n      Place:\n        Place_Keyword: AL\n        Place_Keyword: Geneva\n';
  assert.equal(parseNaipMetadata(text, 'x').state, 'al');
  const fgdc =
    '<metadata><state>UT</state><place><placekey>San Diego</placekey><placekey>CA</placekey></place></metadata>';
  assert.equal(parseNaipMetadata(fgdc, 'x').state, 'ca');
  const keywords = (type: string, word: string) =>
    `<g:MD_Keywords><g:keyword><c:CharacterString>${word}</c:CharacterString></g:keyword><g:type><g:MD_KeywordTypeCode>${type}</g:MD_KeywordTypeCode></g:type></g:MD_Keywords>`;
  const iso = `<g:MI_Metadata xmlns:g="g" xmlns:c="c">${keywords('theme', 'UT')}${keywords('place', 'VA')}</g:MI_Metadata>`;
  assert.equal(parseNaipMetadata(iso, 'x').state, 'va');
  assert.equal(parseNaipMetadata('nothing', 'x').state, null);
});

test('numbers and times are read strictly', () => {
  for (const text of ['', ' ', '0x10', 'Infinity', 'NaN', '1e999', '1,5', '--1', '1 2'])
    assert.equal(toNumber(text), null, text);
  assert.equal(toNumber(' -1.5E-3 '), -0.0015);
  assert.deepEqual(['1.', '.5', '+2', '1.e1', '.', '1.2.3'].map(toNumber), [1, 0.5, 2, 10, null, null]);
  assert.equal(toUtcTime('2020-02-29T01:02:03'), '2020-02-29T01:02:03.000Z');
  assert.equal(toUtcTime('2020-02-29T01:02:03.9876543Z'), '2020-02-29T01:02:03.987Z');
  for (const text of [
    '2021-02-29T01:02:03',
    '2020-02-29T25:00:00',
    '2020-02-29',
    'null',
    '2020-02-29T01:02:03+02:00',
  ]) {
    assert.equal(toUtcTime(text), null, text);
  }
});
