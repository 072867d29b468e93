import assert from 'node:assert/strict';
import { test } from 'node:test';
import { viewerSensorOf } from '../../test/support/viewer-sensors.ts';
import type { Legend } from '../api/legend.ts';
import { PLAIN_PICTURE } from '../scenes/picture.ts';
import type { Scene } from '../scenes/scene.ts';
import { planFilmPicture } from './film-picture.ts';

const makeScene = (day: number): Scene =>
  ({
    viewId: `S2/${day}`,
    sensor: viewerSensorOf('sentinel2l2a'),
    tms: `https://imagery.example/api/render/S2/${day}/{band}/{z}/{x}/{y}`,
  }) as Scene;
const FRAMES = [makeScene(1), makeScene(2), makeScene(3)];
const { signal } = new AbortController();

const plan = (bands: string, legendOf: (template: string) => Legend | null, frames = FRAMES) =>
  planFilmPicture(
    {
      readLegend: async (template) => legendOf(template),
      readRanges: async ({ viewId }) => [
        viewId === 'S2/1' ? { min: 0.12345678, max: 0.5 } : { min: 0.2, max: 0.9 },
      ],
    },
    frames,
    { picture: { ...PLAIN_PICTURE, bands }, signal },
  );

const bar = (max: number): Legend => ({
  kind: 'bar',
  colors: ['#000000', '#ffffff'],
  thresholds: [0],
  min: 0,
  max,
});

test('frames with their own stretch get the joined range of the first and the last', async () => {
  const picture = await plan('EVI', (template) => bar(template.includes('S2/1') ? 1 : 2));
  assert.deepEqual(picture.contrast, { min: 0.123457, max: 0.9 });
});

test('colours that are the same on all dates, composites and single frames stay unchanged', async () => {
  assert.equal((await plan('NDVI', () => bar(1))).contrast, null);
  const never = (): never => assert.fail('a legend was read');
  assert.equal((await plan('B04,B03,B02', never)).contrast, null);
  assert.equal((await plan('EVI', never, FRAMES.slice(0, 1))).contrast, null);
  assert.equal((await plan('EVI', never, [])).contrast, null);
});
