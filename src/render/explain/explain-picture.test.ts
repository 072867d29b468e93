import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SurveyJobs, WindowRequest, WindowSurvey } from '../../blocks/index.ts';
import type { Asset, NewScene } from '../../catalog/index.ts';
import { toScene } from '../../catalog/index.ts';
import { makeScene } from '../../catalog/testing/make-scene.ts';
import { tileGrid } from '../../geo/index.ts';
import type { ContrastRange } from '../../numbers/index.ts';
import { aTicket, makeRunnerHere } from '../../pool/testing/run-here.ts';
import { sensorByAbbreviation } from '../../sensors/index.ts';
import { makeFindContrast } from '../intensity/find-contrast.ts';
import { makeFindKnownContrast } from '../intensity/known-contrast.ts';
import type { IntensityJobs } from '../intensity/measure-intensity.ts';
import type { PlannedPicture, RenderOptions } from '../pictures/plan-picture.ts';
import { planPicture } from '../pictures/plan-picture.ts';
import { defaultOptions } from '../pictures/testing/default-options.ts';
import { DEFAULT_LIMITS } from '../plan/plan-inputs.ts';
import { makeExplainInputs } from './explain-inputs.ts';
import { makeExplainPicture } from './explain-picture.ts';

const sensor = sensorByAbbreviation('S2L2A');
assert.ok(sensor);
const fine = makeScene(21).assets.B04 as Asset;
const classes: Asset = { ...fine, href: 'https://host/private/SCL.tif?sig=secret', type: 'uint8', offset: 0 };
const assets = { B04: fine, B08: { ...fine, href: 's3://bucket/B08.tif' }, SCL: classes };

const survey: WindowSurvey = {
  format: 'tiff',
  levelSize: { width: 1, height: 1 },
  blockSize: { width: 1, height: 1 },
  blocks: 1,
  surveyedBlocks: 1,
  cachedBlocks: 0,
  storedBytes: 7,
  decodedBytes: 8,
  memoryBytes: 0,
  diskBytes: 0,
};

function planOf(
  bands: string,
  more: Partial<RenderOptions> = {},
  of: Partial<NewScene> = {},
): PlannedPicture {
  const scene = toScene(makeScene(21, { assets, cloudPercent: 4, ...of }));
  const grid = tileGrid({ z: 14, x: 8331, y: 6055 });
  const request = { sensor: sensor!, bands, grid, options: { ...defaultOptions, ...more } };
  const plan = planPicture(request, scene);
  return {
    plan,
    scene,
    etag: 'e',
    outline: null,
    request: { ...request, viewId: scene.viewId },
  } as PlannedPicture;
}

function makeKit(isCached = false) {
  const surveyed: WindowRequest[] = [];
  const stored = new Map<string, ContrastRange>();
  const store = {
    find: async (key: string) => stored.get(key) ?? null,
    put: async (key: string, range: ContrastRange) => void stored.set(key, range),
  };
  const pool = makeRunnerHere<SurveyJobs & IntensityJobs>({
    'survey-windows'(windows) {
      surveyed.push(...windows);
      return windows.map(() => survey);
    },
    intensity: () => [{ min: 5, max: 6 }],
  });
  const limits = DEFAULT_LIMITS;
  const explain = makeExplainPicture({
    explainInputs: makeExplainInputs(pool),
    findKnownContrast: makeFindKnownContrast({ store, limits }),
    pictures: { find: async () => (isCached ? {} : null) },
    limits,
  });
  const findContrast = makeFindContrast({
    store,
    pool,
    limits,
    onForgotten: (error) => assert.fail(String(error)),
  });
  return { explain: (picture: PlannedPicture) => explain(picture, aTicket), findContrast, surveyed };
}

const stepsOf = ({ steps }: { readonly steps: readonly { readonly step: string }[] }): string[] =>
  steps.map(({ step }) => step);

test('every input is surveyed where its plan reads it, clouds too, and no address is shown', async () => {
  const { explain, surveyed } = makeKit();
  const cloudMask = { kind: 'classes', band: 'SCL' } as const;
  const explained = await explain(planOf('NDVI', { clouds: { color: 'ffffff' } }, { cloudMask }));
  assert.deepEqual(
    explained.inputs.map(({ role, band, file, read, survey: found }) => [
      role,
      band,
      file,
      read?.method,
      found,
    ]),
    [
      ['band', 'B08', { store: 's3', name: 'B08.tif' }, 'bilinear', survey],
      ['band', 'B04', { store: 'folder', name: 'B04.tif' }, 'bilinear', survey],
      ['clouds', 'SCL', { store: 'http', name: 'SCL.tif' }, 'near', survey],
    ],
  );
  assert.deepEqual(
    surveyed.map(({ read: { level, window } }) => ({ level, window })),
    explained.inputs.map(({ read }) => ({ level: read?.level, window: read?.window })),
  );
  assert.deepEqual(stepsOf(explained), ['read', 'warp', 'math', 'colour', 'clouds', 'encode']);
  assert.deepEqual(explained.inputs[0]?.parameters, { shift: -1000 });
  assert.doesNotMatch(JSON.stringify(explained), /secret|private|bucket|host/);
});

test('a contrast is explained as unmeasured with its sample, then as stored; a given one as fixed', async () => {
  const { explain, findContrast } = makeKit();
  const picture = planOf('B04');
  const [before] = (await explain(picture)).channels;
  assert.ok(before?.kind === 'unmeasured' && before.sample.width > 0 && before.cut.highPercent === 98);
  await findContrast(picture, aTicket);
  const [after] = (await explain(picture)).channels;
  assert.deepEqual(after, { kind: 'stored', cut: before.cut, min: 5, max: 6 });
  const [fixed] = (await explain(planOf('B04', { range: { min: 1, max: 2 }, gamma: 3 }))).channels;
  assert.deepEqual(fixed, { kind: 'fixed', min: 1, max: 2, gamma: 3 });
});

test('a picture that shows nothing is explained without a survey', async () => {
  const { explain, surveyed } = makeKit();
  const far = { ...fine, transform: [100_000, 10, 0, 1_000_000, 0, -10] } as Asset;
  const explained = await explain(planOf('B08-B04', {}, { assets: { ...assets, B04: far } }));
  assert.deepEqual([explained.isEmpty, explained.channels, surveyed], [true, [], []]);
  assert.deepEqual(
    explained.inputs.map(({ read, survey: found }) => [read === null, found]),
    [
      [false, null],
      [true, null],
    ],
  );
  assert.deepEqual(stepsOf(explained), ['encode']);
});

test('further processing of a picture is listed as steps; its cost is shown next to the limits', async () => {
  const { explain } = makeKit(true);
  const explained = await explain(
    planOf('B04', { clusters: { count: 3, minAreaM2: 0 }, watermark: 'mine', format: 'webp' }),
  );
  assert.deepEqual(stepsOf(explained), ['read', 'warp', 'math', 'classify', 'colour', 'watermark', 'encode']);
  assert.equal(explained.steps.at(-1)?.detail, 'webp');
  const { bytes, limitBytes, work, limitWork } = explained.cost;
  assert.ok(bytes > 0 && work === 256 * 256);
  assert.deepEqual([limitBytes, limitWork], [DEFAULT_LIMITS.bytes, DEFAULT_LIMITS.work]);
  assert.equal(explained.isCached, true);
});
