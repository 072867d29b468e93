import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runTimed } from '../../../testing/run-timed.ts';
import { parseGmlGrid } from './jp2-reader.ts';

const grid = (srs: string, pos: string, right: string, down: string) => `<?xml version="1.0"?>
<gml:FeatureCollection><gml:boundedBy><gml:Envelope srsName="urn:ogc:def:crs:EPSG::4978"/></gml:boundedBy>
<gml:RectifiedGridCoverage><gml:rectifiedGridDomain><gml:RectifiedGrid dimension="2">
<gml:origin><gml:Point gml:id="P0001" srsName="${srs}"><gml:pos>${pos}</gml:pos></gml:Point></gml:origin>
<gml:offsetVector srsName="${srs}">${right}</gml:offsetVector>
<gml:offsetVector srsName="${srs}">${down}</gml:offsetVector>
</gml:RectifiedGrid></gml:rectifiedGridDomain></gml:RectifiedGridCoverage></gml:FeatureCollection>`;

test('the origin is the centre of the first pixel', () => {
  // as Sentinel-2's own masks have it
  const found = parseGmlGrid(grid('urn:ogc:def:crs:EPSG::32701', '500010 1200010', '60 0', '0 -60'));
  assert.deepEqual(found, { epsg: 32701, transform: [499980, 60, 0, 1200040, 0, -60] });
  const padded = `${grid('EPSG:32701', '500010 1200010', '60 0', '0 -60')}\0\0`;
  assert.deepEqual(parseGmlGrid(padded), found);
});

test('latitude comes first in geographic CRSs, and a CRS can be named in three ways', () => {
  for (const name of [
    'urn:ogc:def:crs:EPSG::4326',
    'EPSG:4326',
    'http://www.opengis.net/def/crs/EPSG/0/4326',
  ]) {
    const found = parseGmlGrid(grid(name, '45.5 3.5', '0 1', '-1 0'));
    assert.deepEqual(found, { epsg: 4326, transform: [3, 1, 0, 46, 0, -1] });
  }
});

test('a CRS without an EPSG code keeps the transform', () => {
  const found = parseGmlGrid(grid('gmljp2://xml/CRSDictionary.gml#ogrcrs1', '5 5', '10 0', '0 -10'));
  assert.deepEqual(found, { epsg: null, transform: [0, 10, 0, 10, 0, -10] });
});

test('a missing or unusable grid gives no transform', () => {
  assert.equal(parseGmlGrid(''), null);
  assert.equal(parseGmlGrid('<gml:RectifiedGrid>'), null);
  assert.equal(parseGmlGrid(grid('EPSG:32631', 'NaN 1', '1 0', '0 1')), null);
  assert.equal(parseGmlGrid(grid('EPSG:32631', '1 1 1', '1 0', '0 1')), null);
  assert.equal(parseGmlGrid(grid('EPSG:32631', '1 1', '1 0', '2 0'))?.transform, null);
});

test('a megabyte of opening tags is answered at once', async () => {
  for (const text of [
    '<gml:RectifiedGrid ',
    '<gml:pos ',
    '<gml:RectifiedGrid><gml:pos>',
    'srsName="EPSG:',
    '\0',
  ]) {
    const xml = `<gml:RectifiedGrid>${text.repeat(2 ** 20 / text.length)}`;
    const { tookMs } = await runTimed(() => parseGmlGrid(xml), 500);
    assert.ok(tookMs < 500, `${tookMs} ms`);
  }
});
