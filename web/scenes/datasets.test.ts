import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDatasets } from './datasets.ts';
import type { Scene, ScenePage } from './scene.ts';

const ALL = ['a', 'b', 'c', 'd'];

/** A catalogue, newest first, that answers two scenes at a time. */
const makeSearch = (catalogue: readonly string[]) => {
  const queried: string[] = [];
  const search = async (datasets: readonly string[]): Promise<ScenePage> => {
    queried.push(datasets.join(''));
    const hits = catalogue.filter((dataset) => datasets.includes(dataset));
    const scenes = hits.slice(0, 2).map((dataset) => ({ sensor: { dataset } }) as unknown as Scene);
    return { found: hits.length, scenes, unreadable: 0 };
  };
  return { queried, search };
};

const read = async (catalogue: readonly string[]) => {
  const { queried, search } = makeSearch(catalogue);
  const datasets = await readDatasets({ page: await search(ALL), all: ALL, search });
  return { datasets, further: queried.slice(1) };
};

test('a page that holds everything needs no further search', async () => {
  assert.deepEqual(await read(['c', 'a']), { datasets: ['a', 'c'], further: [] });
  assert.deepEqual(await read([]), { datasets: [], further: [] });
});

test('datasets hidden behind newer scenes are found, and the search ends', async () => {
  assert.deepEqual(await read(['c', 'c', 'c', 'b', 'b', 'b', 'a']), {
    datasets: ['a', 'b', 'c'],
    further: ['abd', 'ad'],
  });
  assert.deepEqual(await read(['c', 'c', 'c']), { datasets: ['c'], further: ['abd'] });
});

test('an answer that promises more but contains nothing new also ends the search', async () => {
  const search = async (): Promise<ScenePage> => ({ found: 9, scenes: [], unreadable: 0 });
  assert.deepEqual(await readDatasets({ page: await search(), all: ALL, search }), []);
});
