import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSwathError } from '../../errors.ts';
import { runTimed } from '../../testing/run-timed.ts';
import { parseAuxXml, parseWorldFile } from './sidecars.ts';

const document = `<PAMDataset>
  <SRS dataAxisToSRSAxisMapping="1,2">PROJCS["a &quot;b&quot;",X["1"]]</SRS>
  <GeoTransform>  6.0e+05,  1.0e+01,  0,  5.1e+06,  0, -1.0e+01</GeoTransform>
  <Metadata domain="AREA_OR_POINT"><MDI key="NoDataValue">3</MDI></Metadata>
  <PAMRasterBand band="1"><NoDataValue>-9.99900000000000E+03</NoDataValue></PAMRasterBand>
  <PAMRasterBand band="3">
    <Description>&lt;near&gt; infrared</Description><Offset>-0.1</Offset><Scale>1e-4</Scale><UnitType>m</UnitType>
  </PAMRasterBand>
</PAMDataset>`;

test('georeference and band metadata are found', () => {
  const { wkt, transform, gcps, bands } = parseAuxXml(document);
  assert.equal(wkt, 'PROJCS["a "b"",X["1"]]');
  assert.deepEqual(transform, [600_000, 10, 0, 5_100_000, 0, -10]);
  assert.deepEqual(gcps, []);
  assert.deepEqual(
    [...bands],
    [
      [0, { description: null, scale: 1, offset: 0, unit: null, nodata: -9999 }],
      [2, { description: '<near> infrared', scale: 1e-4, offset: -0.1, unit: 'm', nodata: null }],
    ],
  );
});

test('control points come with their CRS', () => {
  const { wkt, gcps, transform } = parseAuxXml(`<PAMDataset><GCPList Projection="GEOGCS[]">
    <GCP Id="1" Pixel="0.5" Line="1.5" X="10" Y="50" Z="7"/><GCP Id="2" Pixel="9" Line="8" X="11" Y="49"/>
    </GCPList></PAMDataset>`);
  assert.equal(wkt, 'GEOGCS[]');
  assert.equal(transform, null);
  assert.deepEqual(gcps, [
    { column: 0.5, row: 1.5, x: 10, y: 50, z: 7 },
    { column: 9, row: 8, x: 11, y: 49, z: 0 },
  ]);
});

test('missing, empty or degenerate values are absent', () => {
  for (const inner of [
    '',
    '<SRS></SRS>',
    '<GeoTransform>1,2,3</GeoTransform>',
    '<SRSX>a</SRSX><SRS/>',
    '<GeoTransform>1,2,2,1,2,2</GeoTransform>',
    '<PAMRasterBand band="0"/>',
    '<PAMRasterBand band="1e9"/>',
  ]) {
    const { bands, ...rest } = parseAuxXml(`<PAMDataset>${inner}</PAMDataset>`);
    assert.deepEqual(rest, { wkt: null, transform: null, gcps: [] }, inner);
    assert.equal(bands.size, 0, inner);
  }
});

test('other documents, damaged points and endless strings are refused', () => {
  const refused = (xml: string, code: string) =>
    assert.throws(
      () => parseAuxXml(xml),
      (error) => isSwathError(error) && error.code === code,
    );
  refused('<html></html>', 'bad-aux-xml');
  refused('<PAMDataset><SRS</PAMDataset>', 'bad-aux-xml');
  refused('<PAMDataset><GCPList><GCP Pixel="1"/></GCPList></PAMDataset>', 'bad-aux-xml');
  refused(`<PAMDataset>${' '.repeat(5 * 1024 * 1024)}`, 'aux-xml-too-long');
});

test('a hostile document takes no longer than a long one', async () => {
  for (const part of ['<SRS ', '<PAMRasterBand band="1">', '<GCP ', '<PAMRasterBand band="1"/>']) {
    const damaged = `<PAMDataset><GCPList>${part.repeat(40_000)}`;
    const { tookMs } = await runTimed(
      () => assert.throws(() => parseAuxXml(damaged), { code: 'bad-aux-xml' }),
      1_000,
    );
    assert.ok(tookMs < 1_000, `${part} took ${tookMs} ms`);
  }
  const whole = `<PAMDataset>${'<PAMRasterBand band="1"/>'.repeat(40_000)}</PAMDataset>`;
  const { tookMs } = await runTimed(() => assert.equal(parseAuxXml(whole).bands.size, 1), 1_000);
  assert.ok(tookMs < 1_000, `${tookMs} ms`);
});

test('a world file names the centre of the first pixel', () => {
  assert.deepEqual(
    parseWorldFile('10.0\n0.0\n0.0\n-10.0\n600005\n5099995\n'),
    [600_000, 10, 0, 5_100_000, 0, -10],
  );
  assert.deepEqual(parseWorldFile('8\r\n6\r\n6\r\n-8\r\n7\r\n-1\r\n'), [0, 8, 6, 0, 6, -8]);
});

test('commas, exponents and words after the sixth number are read as in GDAL', () => {
  assert.deepEqual(parseWorldFile('0,5 0 0 -5D-1 1e2 .75 behind'), [99.75, 0.5, 0, 1, 0, -0.5]);
});

for (const [what, text] of [
  ['nothing', ''],
  ['five numbers', '1 0 0 -1 5'],
  ['words', '1 0 0 -1 five 6'],
  ['an empty word for a number', '1 0 0 -1 0x10 6'],
  ['infinity', '1 0 0 -1 1e999 6'],
  ['a line instead of an area', '1 2 2 4 5 6'],
  ['a novel', '1 0 0 -1 5 6'.padEnd(5000, ' x')],
] as const) {
  test(`a world file of ${what} is refused`, () => {
    assert.throws(
      () => parseWorldFile(text),
      (error) => isSwathError(error) && error.tag === 'source-broken',
    );
  });
}
