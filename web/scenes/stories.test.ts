import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fire, flood, toDate, toDay } from '../../world/setting.ts';
import { parseAddress } from '../state/address.ts';
import { STORIES, toStoryHash } from './stories.ts';

const SCENES = { before: 'scene_before', after: 'scene_after' };
const storyOf = (name: string) => {
  const story = STORIES.find((one) => one.name === name);
  assert.ok(story !== undefined);
  return { ...story, address: parseAddress(toStoryHash(story, SCENES)) };
};

test('the page understands every address: an animation, two comparisons, and the curve of a field', () => {
  const { animation, query, sceneId } = storyOf('season').address;
  assert.deepEqual(
    [animation?.framesPerSecond, query.from, query.datasets],
    [2, '2026-03-01', ['sentinel2l2a']],
  );
  assert.equal(sceneId, SCENES.after);
  for (const name of ['fire', 'flood']) {
    const { comparison, view } = storyOf(name).address;
    assert.deepEqual([comparison?.left.sceneId, comparison?.right.sceneId], [SCENES.before, SCENES.after]);
    assert.ok(comparison?.left.picture.bands !== null && view !== null);
  }
  const { series, area, picture } = storyOf('field').address;
  assert.deepEqual([series?.indices, picture.bands], [['NDVI'], 'NDVI']);
  assert.ok(area !== null && area !== 'stored');
});

test('the stories are those of the world: before and after its fire, dry and flooded', () => {
  const dayOf = (name: string) => storyOf(name).days;
  assert.ok(
    toDay(dayOf('fire').from) < fire.fromDay && toDay(dayOf('fire').to) >= fire.fromDay,
    toDate(fire.fromDay),
  );
  const peak = toDay(dayOf('flood').to);
  assert.ok(peak >= flood.fromDay && peak <= flood.untilDay, toDate(flood.peakDay));
  assert.ok(toDay(dayOf('flood').from) < flood.fromDay);
});
