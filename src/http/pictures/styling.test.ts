import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSwathError } from '../../errors.ts';
import { parseQuery } from '../kit/parameters.ts';
import { parsePictureQuery } from './picture.ts';
import { parseClusters, parseStretch } from './styling.ts';

const parseContrast = (query: Record<string, string>) => parseStretch(new Map(Object.entries(query)));

const refusalOf = (query: Record<string, string>): string => {
  try {
    parseContrast(query);
  } catch (error) {
    if (isSwathError(error)) return `${error.tag} ${error.code} ${error.message}`;
    throw error;
  }
  return 'none';
};

test('without STRETCH, or with auto, the scene determines the contrast', () => {
  assert.deepEqual(parseContrast({}), {});
  assert.deepEqual(parseContrast({ STRETCH: 'auto' }), {});
});

test('natural colour and gamma are read, alone and together', () => {
  assert.deepEqual(parseContrast({ STRETCH: 'natural' }), { isNatural: true });
  assert.deepEqual(parseContrast({ STRETCH: 'Natural', GAMMA: '1.8' }), { isNatural: true, gamma: 1.8 });
  assert.deepEqual(parseContrast({ GAMMA: '0.1', MIN_MAX: '0,1' }), { gamma: 0.1 });
});

test('invalid values and two ranges are refused with the parameter and the limit', () => {
  assert.match(refusalOf({ STRETCH: 'nice' }), /^bad-input bad-stretch STRETCH must be auto or natural/);
  for (const GAMMA of ['0', '0.09', '10.1', '-2', 'x', ''])
    assert.match(refusalOf({ GAMMA }), /^bad-input bad-gamma GAMMA must be a number from 0.1 to 10/);
  assert.match(refusalOf({ STRETCH: 'natural', MIN_MAX: '0,1' }), /^unsupported range-of-natural .*MIN_MAX/);
});

const parseGroups = (text: string) => parseClusters(parseQuery(text));

test('CLUSTERING=kmeans takes CLUSTERS_NO from 2 to 20, 5 by default', () => {
  assert.deepEqual(parseGroups(''), {});
  assert.deepEqual(parseGroups('CLUSTERING=0&CLUSTERS_NO=3'), {});
  assert.deepEqual(parseGroups('CLUSTERING=kmeans'), { clusters: { count: 5, minAreaM2: 0 } });
  assert.deepEqual(parseGroups('CLUSTERING=KMeans&CLUSTERS_NO=2&MIN_AREA=0'), {
    clusters: { count: 2, minAreaM2: 0 },
  });
  assert.deepEqual(parseGroups('CLUSTERING=kmeans&CLUSTERS_NO=20&MIN_AREA=2000.5'), {
    clusters: { count: 20, minAreaM2: 2000.5 },
  });
});

test('unsupported clustering is refused with the reason', () => {
  for (const [query, code] of [
    ['CLUSTERING=dbscan', 'bad-clustering'],
    ['CLUSTERING=', 'bad-clustering'],
    ['CLUSTERS_NO=3', 'lone-clusters-no'],
    ['MIN_AREA=2000', 'lone-clusters-no'],
    ['CLUSTERING=kmeans&CLUSTERS_NO=1', 'bad-clusters-no'],
    ['CLUSTERING=kmeans&CLUSTERS_NO=21', 'bad-clusters-no'],
    ['CLUSTERING=kmeans&CLUSTERS_NO=3.5', 'bad-clusters-no'],
    ['CLUSTERING=kmeans&MIN_AREA=-1', 'bad-min-area'],
    ['CLUSTERING=kmeans&MIN_AREA=x', 'bad-min-area'],
  ] as const) {
    assert.throws(() => parseGroups(query), { tag: 'unsupported', code }, query);
  }
});

const rangeOf = (text: string) => parsePictureQuery(new Map([['MIN_MAX', text]])).options.range;

test('MIN_MAX accepts any number in the float32 range', () => {
  assert.deepEqual(rangeOf('-3.4e38,3.4e38'), { min: -3.4e38, max: 3.4e38 });
  assert.deepEqual(rangeOf('0,1e-40'), { min: 0, max: 1e-40 });
  assert.deepEqual(rangeOf('-.5,+1.25'), { min: -0.5, max: 1.25 });
});

test('MIN_MAX beyond the float32 range is refused, because its span would not be finite', () => {
  for (const text of ['-1e308,1e308', '0,1e39', '-1e39,0', '1e39,1e40']) {
    assert.throws(() => rangeOf(text), { tag: 'bad-input', code: 'bad-min-max' }, text);
  }
});

test('MIN_MAX of six numbers is a range for each of red, green and blue', () => {
  const { options } = parsePictureQuery(new Map([['MIN_MAX', '0,1,2,3.5,-4,5']]));
  assert.deepEqual(options.range, { min: 0, max: 1 });
  assert.deepEqual(options.ranges, [
    { min: 0, max: 1 },
    { min: 2, max: 3.5 },
    { min: -4, max: 5 },
  ]);
  assert.throws(() => rangeOf('0,1,2,3'), { tag: 'bad-input', code: 'bad-min-max' });
  assert.throws(() => rangeOf('0,1,2,3,4,'), { tag: 'bad-input', code: 'bad-min-max' });
  assert.throws(() => rangeOf('0,1,2,3,5,4'), { tag: 'unsupported', code: 'flat-min-max' });
});
