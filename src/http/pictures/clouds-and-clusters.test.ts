import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseQuery } from '../kit/query.ts';
import { parseClusters } from './clouds-and-clusters.ts';

const parse = (text: string) => parseClusters(parseQuery(text));

test('CLUSTERING=kmeans and CLUSTERS_NO, 5 by default, 2 to 20', () => {
  assert.deepEqual(parse(''), {});
  assert.deepEqual(parse('CLUSTERING=0&CLUSTERS_NO=3'), {});
  assert.deepEqual(parse('CLUSTERING=kmeans'), { clusters: { count: 5, minAreaM2: 0 } });
  assert.deepEqual(parse('CLUSTERING=KMeans&CLUSTERS_NO=2&MIN_AREA=0'), {
    clusters: { count: 2, minAreaM2: 0 },
  });
  assert.deepEqual(parse('CLUSTERING=kmeans&CLUSTERS_NO=20&MIN_AREA=2000.5'), {
    clusters: { count: 20, minAreaM2: 2000.5 },
  });
});

test('what clustering cannot do is refused with the reason', () => {
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
    assert.throws(() => parse(query), { tag: 'unsupported', code }, query);
  }
});
