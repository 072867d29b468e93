import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeProjection } from '../../proj/index.ts';
import { toFootprint } from './footprint.ts';
import { crop, epsg, isMeasured, sensingStart, tileFrame, wholeCrop } from './frame.ts';

const toUtm = makeProjection(4326, epsg);

/** The ring's corners in local metres, south positive. */
const ringOf = (window = wholeCrop) =>
  toFootprint(window).coordinates[0]!.map(([lon, lat]) => {
    const [easting, northing] = toUtm.forward(lon, lat);
    return { x: easting - crop.west, y: crop.north - northing };
  });

test('the crop lies on the 60 m grid of the tile frame and inside it', () => {
  assert.equal((crop.west - tileFrame.west) % 60, 0);
  assert.equal((tileFrame.north - crop.north) % 60, 0);
  assert.ok(crop.west + crop.sizeM <= tileFrame.west + tileFrame.sizeM);
  assert.ok(crop.north - crop.sizeM >= tileFrame.north - tileFrame.sizeM);
  assert.equal(wholeCrop.cols * 60, crop.sizeM);
});

test('the footprint is closed, counter-clockwise and within the crop', () => {
  const ring = ringOf();
  assert.deepEqual(ring[0], ring.at(-1));
  let area = 0;
  for (let i = 0; i + 1 < ring.length; i++) area += ring[i + 1]!.x * ring[i]!.y - ring[i]!.x * ring[i + 1]!.y;
  assert.ok(area > 0, 'the ring runs clockwise');
  for (const { x, y } of ring) {
    assert.ok(x > -0.1 && x < crop.sizeM + 0.1 && y > -0.1 && y < crop.sizeM + 0.1, `${x}, ${y} is outside`);
  }
});

test('one side of the footprint runs along the first line of sensing, with data south of it only', () => {
  const onLine = ringOf().filter(
    ({ x, y }) => Math.abs(y - (x - sensingStart.x) * sensingStart.fallPerM) < 0.05,
  );
  assert.ok(onLine.length >= 2);
  for (const { x, y } of onLine) {
    assert.ok(isMeasured(x - 1, y + 10));
    assert.ok(!isMeasured(x + 1, y - 10));
  }
  assert.ok(onLine.some(({ x, y }) => Math.abs(x - sensingStart.x) < 0.05 && Math.abs(y) < 0.05));
  assert.ok(onLine.some(({ x }) => Math.abs(x - crop.sizeM) < 0.05));
});

test('a window away from the line has four straight sides', () => {
  const ring = ringOf({ col: 10, row: 100, cols: 20, rows: 10 });
  assert.equal(ring.length, 5);
  assert.ok(Math.abs(ring[0]!.x - 600) < 0.05 && Math.abs(ring[0]!.y - 6000) < 0.05);
});
