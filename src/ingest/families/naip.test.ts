import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseNaipMetadata } from './naip.ts';

test('the state of a NAIP image is found in all three formats of its metadata', () => {
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
