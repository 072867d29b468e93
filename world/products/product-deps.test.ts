import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Survey } from '../ground/ground.ts';
import { makeSurveyCache } from './product-deps.ts';

/** A survey of so many pixels, of which the cache looks at nothing else. */
function makeSurvey(pixels: number): Survey {
  const plane = () => new Float32Array(pixels);
  const locations = {
    width: pixels,
    height: 1,
    sideM: 10,
    x: new Float64Array(pixels),
    y: new Float64Array(pixels),
  };
  return { locations, heightM: plane(), slopeX: plane(), slopeY: plane(), fieldId: new Int32Array(pixels) };
}

test('a survey is made once, and the least recently used one is evicted first', () => {
  const cache = makeSurveyCache(100);
  const made: string[] = [];
  const survey = (key: string, pixels = 40) =>
    cache.getOrMake(key, () => {
      made.push(key);
      return makeSurvey(pixels);
    });
  assert.equal(survey('a'), survey('a'));
  survey('b');
  survey('a');
  // there is room for two: b goes
  survey('c');
  survey('a');
  survey('b');
  assert.deepEqual(made, ['a', 'b', 'c', 'b']);
});

test('a survey larger than the cache is cached alone', () => {
  const cache = makeSurveyCache(10);
  let made = 0;
  const make = () => {
    made++;
    return makeSurvey(50);
  };
  assert.equal(cache.getOrMake('large', make), cache.getOrMake('large', make));
  cache.getOrMake('other', make);
  cache.getOrMake('large', make);
  assert.equal(made, 3);
});
