import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isSwathError } from '../../../errors.ts';
import { casesOf } from '../../../testing/test-size.ts';
import { parseCloudPolygons } from '../testing/parse-cloud-polygons.ts';
import { cloudGml } from '../testing/product-texts.ts';
import type { CloudPolygon } from './cloud-polygons.ts';
import { readCloudPolygons } from './cloud-polygons.ts';

/** All polygons, in the form of the reference parser. */
function readAll(text: string, what: string) {
  const polygons: { kind: CloudPolygon['kind']; rings: (readonly [number, number])[][] }[] = [];
  const epsg = readCloudPolygons(text, what, ({ kind, rings }) =>
    polygons.push({ kind, rings: rings.map(toPositions) }),
  );
  return { epsg, polygons };
}
const toPositions = (ring: Float64Array) =>
  Array.from({ length: ring.length / 2 }, (_, i) => [ring[2 * i]!, ring[2 * i + 1]!] as const);

/** The result of a parser: a mask, or the code and message of its error. */
function outcomeOf(read: (text: string, what: string) => unknown, text: string) {
  try {
    return { read: read(text, 'a.gml') };
  } catch (error) {
    assert.ok(isSwathError(error), String(error));
    return { tag: error.tag, code: error.code, message: error.message };
  }
}
const agree = (text: string) =>
  assert.deepEqual(outcomeOf(readAll, text), outcomeOf(parseCloudPolygons, text), text);

test('a cloud mask in GML gives polygons with holes, by kind', () => {
  const { epsg, polygons } = readAll(cloudGml, 'x');
  assert.equal(epsg, 32631);
  assert.deepEqual(
    polygons.map(({ kind, rings }) => [kind, rings.length]),
    [
      ['opaque', 2],
      ['cirrus', 1],
    ],
  );
  assert.deepEqual(polygons[0]?.rings[1]?.[2], [40, 40]);
  const positions = (list: string) => cloudGml.replace('0 0 60 0 60 60 0 60 0 0', list);
  assert.throws(() => readAll(positions('0 0 60'), 'x'), { code: 'metadata-incomplete' });
  assert.throws(() => readAll(positions('0 0 60 x 1 1 1 1'), 'x'), { code: 'metadata-incomplete' });
  assert.throws(() => readAll(positions(' '), 'x'), { code: 'metadata-incomplete' });
});

test('a cloud mask without polygons is a scene without clouds', () => {
  assert.deepEqual(readAll('<eop:Mask xmlns:eop="x"/>', 'x'), { epsg: null, polygons: [] });
});

test('errors are those of the reference parser: first malformed XML, then no mask, then no polygon', () => {
  const feature =
    '<MaskFeature><maskType>OPAQUE</maskType><Polygon><exterior><posList>1</posList></exterior></Polygon></MaskFeature>';
  const whole = feature.replace('>1<', '>0 0 1 0 1 1 0 0<');
  const envelope = '<Envelope srsName="urn:ogc:def:crs:EPSG:8.7:32631"/>';
  for (const text of [
    '',
    'x',
    '<Mask>',
    '<Other/>',
    '<MaskFeature/>',
    `<Other>${feature}</Other>`,
    `<Other>${feature}<MaskFeature></Other>`,
    `<Mask>${feature}<MaskFeature>&x;</MaskFeature></Mask>`,
    `<Mask>${feature}</Mask>`,
    `<Mask>${whole}</Mask>`,
    `<Mask>${whole}${envelope}</Mask>`,
    `<Mask>${whole.replace('</MaskFeature>', `${envelope}</MaskFeature>`)}</Mask>`,
    `<Mask><MaskFeature>${envelope.replace('32631', '32632')}</MaskFeature>${whole}${envelope}</Mask>`,
    `<Mask>${envelope}<MaskFeature>${whole}</MaskFeature></Mask>`,
    `<Mask>${envelope}<cut/>${whole}<a:MaskFeature b="/>"/><!-- <MaskFeature> -->${whole}</Mask>`,
    `<Mask>${envelope}${whole}</Mask></Mask>`,
    `</Mask><Mask>${envelope}${whole}</Mask>`,
    `<Mask>${envelope}</Mask>${whole}`,
    `<Mask>${envelope}<MaskFeature></Mask></MaskFeature>`,
    `<Mask>${envelope}<MaskFeature><a></MaskFeature></a></Mask>`,
    `<Mask>${envelope}<MaskFeature a="1" a="2"/></Mask>`,
    `<Mask>${envelope}${whole.replace('<posList', '<posList srsDimension="3"')}</Mask>`,
    `<Mask>${envelope}${whole.replace('<posList>0 0', '<posList srsDimension="3">0 0 0 0')}</Mask>`,
    `<Mask>${envelope}<![CDATA[${whole}]]></Mask>`,
    `<Mask>${envelope}<?x ${whole}?></Mask>`,
    `<!DOCTYPE Mask [<!ENTITY x "y">]><Mask>${whole}</Mask>`,
    `<!DOCTYPE Mask [ "<Mask>${whole}</Mask>`,
    `<Mask>${'<MaskFeature>'.repeat(150)}</Mask>`,
    `<Mask>${'<MaskFeature/>'.repeat(1_000_001)}</Mask>`,
  ])
    agree(text);
});

const numbers = fc.array(
  fc.oneof(fc.integer({ min: -9, max: 99 }), fc.constantFrom('1e3', '-.5', '7.', 'x', '')),
  {
    minLength: 4,
    maxLength: 14,
  },
);
const ring = fc
  .tuple(fc.constantFrom('exterior', 'interior', 'gml:exterior', 'other'), numbers, fc.constantFrom('2', '3'))
  .map(
    ([side, list, step]) =>
      `<${side}><r><posList srsDimension="${step}">${list.join(' \n')}</posList></r></${side}>`,
  );
const polygon = fc
  .array(ring, { maxLength: 4 })
  .map((rings) => `<gml:Polygon>${rings.join('')}</gml:Polygon>`);
const feature = fc
  .tuple(
    fc.constantFrom('OPAQUE', 'CIRRUS', ' OPAQUE ', 'SNOW'),
    fc.array(polygon, { maxLength: 3 }),
    fc.boolean(),
  )
  .map(
    ([type, polygons, isNested]) =>
      `<eop:MaskFeature g="'>"><eop:maskType>${type}</eop:maskType>${polygons.join('')}${
        isNested ? `<MaskFeature><maskType>CIRRUS</maskType>${polygons.join('')}</MaskFeature>` : ''
      }</eop:MaskFeature>`,
  );
const between = fc.constantFrom(
  '',
  ' ',
  '<!-- </eop:MaskFeature> -->',
  '<?p <MaskFeature>?>',
  '<b><c/></b>',
  'text &amp;',
);
const envelope = fc.constantFrom(
  '',
  '<Envelope srsName="urn:EPSG:8.7:32631"/>',
  '<a:Envelope srsName="no"/>',
);
const mask = fc
  .tuple(envelope, fc.array(fc.tuple(between, feature, envelope), { maxLength: 6 }))
  .map(
    ([first, features]) =>
      `<?xml version="1.0"?>\n<eop:Mask>${first}<m>${features.flat().join('')}</m></eop:Mask>`,
  );
const damage = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.integer({ min: 0, max: 30 }),
  put: fc.constantFrom(
    '',
    '<',
    '>',
    '</a>',
    '<a>',
    '<a/>',
    '"',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '&',
    '\0',
    '</eop:MaskFeature>',
    '<MaskFeature>',
    '0 1',
  ),
});

test('parsing feature by feature gives the same mask as the reference parser', () => {
  fc.assert(fc.property(mask, agree), { numRuns: casesOf(300) });
});

test('a damaged mask gives the same mask or the same error as the reference parser', () => {
  fc.assert(
    fc.property(mask, fc.array(damage, { minLength: 1, maxLength: 3 }), (text, damages) => {
      let broken = text;
      for (const { at, length, put } of damages) {
        const from = Math.floor(at * broken.length);
        broken = broken.slice(0, from) + put + broken.slice(from + length);
      }
      agree(broken);
    }),
    { numRuns: casesOf(600) },
  );
});
