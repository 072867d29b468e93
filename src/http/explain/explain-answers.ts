/** Explanations as they are answered: what a picture, a range or a value is made of. */
import type { Grid } from '../../geo/index.ts';
import { gridBounds } from '../../geo/index.ts';
import type {
  ExplainedInput,
  ExplainedIntensity,
  ExplainedPicture,
  ExplainedPoint,
} from '../../render/index.ts';
import { toShortest } from '../kit/answer-bodies.ts';

/** A picture, or its legend. */
export const toPictureExplanation = (explains: 'picture' | 'legend', explained: ExplainedPicture) => ({
  explains,
  etag: `"${explained.etag}"`,
  bands: explained.bands,
  scenes: explained.scenes.map(toWireScene),
  grid: toWireGrid(explained.grid),
  empty: explained.isEmpty,
  inputs: explained.inputs.map(toWireInput),
  steps: explained.steps,
  channels: explained.channels.map(toWireChannel),
  cost: toWireCost(explained.cost),
  cached: explained.isCached,
});

/** An intensity range. */
export const toIntensityExplanation = (bands: string, explained: ExplainedIntensity) => ({
  explains: 'intensity',
  bands,
  scenes: explained.scenes.map(toWireScene),
  cached: explained.isStored || explained.isFixed,
  cloud_cover: explained.cover.kind,
  samples: explained.samples.map(({ grid, inputs, cost, ...sample }) => ({
    ...sample,
    grid: toWireGrid(grid),
    inputs: inputs.map(toWireInput),
    cost: toWireCost(cost),
  })),
});

/** The value at a point. */
export const toPointExplanation = ({ bands, scenes, inputs, steps, cost }: ExplainedPoint) => ({
  explains: 'point',
  bands,
  scenes: scenes.map(toWireScene),
  inputs: inputs.map(toWireInput),
  steps,
  cost: toWireCost(cost),
});

const toWireScene = ({ viewId, sceneVersion, role }: ExplainedPicture['scenes'][number]) => ({
  view_id: viewId,
  version: sceneVersion,
  role,
});

/** A grid as people compare it: by its size and its bounds. */
export function toWireGrid(grid: Grid) {
  const { epsg, width, height } = grid;
  const { minX, minY, maxX, maxY } = gridBounds(grid);
  return { epsg, width, height, bounds: [minX, minY, maxX, maxY] };
}

/** An input of any explanation. */
export function toWireInput({ viewId, file, bandIndex, read, survey, problem, ...input }: ExplainedInput) {
  const { role, band, rule, parameters, isAbsent } = input;
  return {
    role,
    band,
    view_id: viewId,
    file: { ...file, band_index: bandIndex },
    read: read && {
      level: read.level,
      level_size: read.levelSize,
      window: read.window,
      resampling: read.method,
    },
    calibration: {
      rule,
      // Kernels compute with float32.
      parameters: Object.fromEntries(
        Object.entries(parameters).map(([name, value]) => [name, toShortest(value)]),
      ),
    },
    ...(isAbsent ? { absent: true } : {}),
    ...toWireFindings({ survey, problem }),
  };
}

/** What headers and caches say of a window, or what is wrong with its file. */
export const toWireFindings = ({ survey, problem }: Pick<ExplainedInput, 'survey' | 'problem'>) => ({
  ...(survey === null ? {} : { blocks: toWireBlocks(survey) }),
  ...(problem === null ? {} : { problem: { code: problem.code, error: problem.message } }),
});

const toWireBlocks = (survey: NonNullable<ExplainedInput['survey']>) => ({
  format: survey.format,
  block_size: survey.blockSize,
  count: survey.blocks,
  surveyed: survey.surveyedBlocks,
  cached: survey.cachedBlocks,
  bytes_stored: survey.storedBytes,
  bytes_decoded: survey.decodedBytes,
  bytes_in_memory: survey.memoryBytes,
  bytes_on_disk: survey.diskBytes,
});

/** Where the contrast of a channel comes from. */
export function toWireChannel(channel: ExplainedPicture['channels'][number]) {
  if (channel.kind === 'fixed') return toWireContrast('fixed', channel);
  const { cut } = channel;
  const measured = { percentiles: [cut.lowPercent, cut.highPercent], cloud_cover: cut.cover.kind };
  return channel.kind === 'stored'
    ? { ...toWireContrast('stored', channel), ...measured }
    : { contrast: 'to-be-measured', ...measured, sample: channel.sample };
}

const toWireContrast = (
  contrast: 'fixed' | 'stored',
  { min, max, gamma }: { readonly min: number; readonly max: number; readonly gamma?: number },
) => ({ contrast, min, max, ...(gamma === undefined ? {} : { gamma }) });

/** What the work takes. */
export const toWireCost = ({ bytes, limitBytes, work, limitWork }: ExplainedPicture['cost']) => ({
  bytes,
  bytes_limit: limitBytes,
  work,
  work_limit: limitWork,
});
