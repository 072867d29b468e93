import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toScene } from '../../catalog/index.ts';
import { makeScene } from '../../catalog/testing/make-scene.ts';
import { sensorByAbbreviation } from '../../sensors/index.ts';
import { defaultOptions } from '../pictures/testing/default-options.ts';
import { planTile } from '../pictures/testing/plan-tile.ts';
import { beginWork, readSources } from './read-channels.ts';
import { makeTestTools } from './testing/compute-plan.ts';

const sensor = sensorByAbbreviation('S2');
assert.ok(sensor);
const plan = planTile(
  { sensor, bands: 'B04,B03,B02', tile: { z: 14, x: 8331, y: 6055 }, options: defaultOptions },
  toScene(makeScene(21)),
);

/** The groups in which the inputs of a plan are read and warped. */
async function groupsOf(inputs: typeof plan.inputs): Promise<readonly string[][]> {
  const tools = {
    ...makeTestTools({}),
    readWindow: async (_: unknown, sink: { begin(): void }) => sink.begin(),
  };
  const work = beginWork(tools, new AbortController().signal);
  const groups = await readSources({ ...plan, inputs }, work);
  return (groups ?? []).map(({ members }) => members.map(({ input }) => input.band));
}

test('bands with equal windows are warped together, whether they share one plan or have equal ones', async () => {
  assert.deepEqual(await groupsOf(plan.inputs), [['B04', 'B03', 'B02']]);
  const copies = plan.inputs.map((input) => structuredClone(input));
  assert.notEqual(copies[0]?.warp, copies[1]?.warp);
  assert.deepEqual(await groupsOf(copies), [['B04', 'B03', 'B02']]);
});

test('bands with other windows are warped on their own; a band without pixels leaves nothing to read', async () => {
  const [first, second, third] = plan.inputs;
  assert.ok(first && second?.warp && third);
  const other = { ...second, warp: { ...second.warp, method: 'near' as const } };
  assert.deepEqual(await groupsOf([first, other, third]), [['B04', 'B02'], ['B03']]);
  assert.deepEqual(await groupsOf([first, { ...second, warp: null }]), []);
});
