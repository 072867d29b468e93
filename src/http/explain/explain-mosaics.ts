import type { Mosaics, PlannedMosaic } from '../../mosaic/index.ts';
import { isPicking } from '../../mosaic/index.ts';
import type { Explainer } from '../../render/index.ts';
import { DEFAULT_LIMITS } from '../../render/index.ts';
import type { Answer } from '../kit/answers.ts';
import type { ApiRequest } from '../kit/endpoint.ts';
import type { ExplainMode } from '../kit/parameters.ts';
import { toWireChannel, toWireCost, toWireGrid, toWireInput } from './explain-answers.ts';
import type { ExplainedWork } from './explainable.ts';
import { answerExplained } from './explainable.ts';

/** What mosaics are explained with. */
export interface MosaicExplainer {
  readonly explainer: Pick<Explainer, 'pixels' | 'contrast'>;
  readonly mosaics: Pick<Mosaics, 'planFirst' | 'planContrast' | 'isCached'>;
}

/** What a request makes of a mosaic. */
type MosaicAnswer =
  /** A picture in colours. */
  | 'mosaic'
  /** A picture or a list of where pixels come from. */
  | 'mosaic-sources'
  /** What is only measured in a sample: the contrast. */
  | 'mosaic-legend'
  | 'mosaic-intensity'
  /** Values. */
  | 'mosaic-point'
  | 'mosaic-values'
  | 'mosaic-statistics';

/** Answers that are made with the contrast of the mosaic, and answers that read no pixel of it otherwise. */
const CONTRAST: ReadonlySet<MosaicAnswer> = new Set(['mosaic', 'mosaic-legend', 'mosaic-intensity']);
const CONTRAST_ONLY: ReadonlySet<MosaicAnswer> = new Set(['mosaic-legend', 'mosaic-intensity']);

interface ExplainedMosaic<Result> extends Pick<ExplainedWork<Result>, 'work' | 'describe'> {
  readonly explains: MosaicAnswer;
  readonly planned: PlannedMosaic;
  readonly mode: ExplainMode;
}

/** Scenes that are listed, and scenes whose files are looked at. */
const MAX_LISTED = 100;
const MAX_PARTS = 10;

/** Answers with the plan of a mosaic: the scenes in their order, and what is read of the first; or also does the work. */
export async function explainMosaic<Result>(
  request: ApiRequest,
  { explains, planned, mode, work, describe }: ExplainedMosaic<Result>,
  deps: MosaicExplainer,
): Promise<Answer> {
  const plan = await toMosaicExplanation(request, { explains, planned }, deps);
  return answerExplained(request, mode, { plan, work, describe });
}

/** The plan of a mosaic as it is answered. */
export async function toMosaicExplanation(
  request: ApiRequest,
  { explains, planned }: Pick<ExplainedMosaic<unknown>, 'explains' | 'planned'>,
  deps: MosaicExplainer,
) {
  const { pyramid, candidates, others, etag } = planned;
  const { bands, grid } = planned.request;
  return {
    explains,
    ...(explains === 'mosaic' ? { etag: `"${etag}"` } : {}),
    bands,
    grid: toWireGrid(grid),
    scenes: candidates.slice(0, MAX_LISTED).map(({ hit }) => ({
      view_id: hit.viewId,
      version: hit.version,
      role: 'candidate',
    })),
    found: candidates.length + others,
    ...(pyramid === null ? {} : { pyramid: `${pyramid.tile.z}/${pyramid.tile.x}/${pyramid.tile.y}` }),
    parts: CONTRAST_ONLY.has(explains) ? [] : await explainParts(request, planned, deps),
    steps: listSteps(explains, planned),
    ...(CONTRAST.has(explains) ? { contrast: await explainContrast(planned, deps) } : {}),
    ...(explains === 'mosaic' ? { cached: await deps.mosaics.isCached(planned) } : {}),
  };
}

/** What is read of the scenes that are read first. */
async function explainParts(
  { ticket }: ApiRequest,
  planned: PlannedMosaic,
  { explainer, mosaics }: MosaicExplainer,
) {
  const { bands } = planned.request;
  const parts = [];
  for (const { part, bytes, scene } of (await mosaics.planFirst(planned)).slice(0, MAX_PARTS)) {
    const { pixels: plan, masks } = part;
    const ref = { viewId: plan.viewId, sceneVersion: plan.sceneVersion };
    const own = masks.map((mask) => ({ plan: mask, ...ref }));
    const limits = DEFAULT_LIMITS;
    const { inputs, steps, cost } = await explainer.pixels(
      { bands, plan, masks: own, bytes, limits },
      ticket,
    );
    parts.push({ view_id: scene.viewId, inputs: inputs.map(toWireInput), steps, cost: toWireCost(cost) });
  }
  return parts;
}

/** The contrast of each scene that the contrast of all tiles is the median of. */
async function explainContrast(planned: PlannedMosaic, { explainer, mosaics }: MosaicExplainer) {
  const pictures = await mosaics.planContrast(planned);
  return Promise.all(
    pictures.map(async (picture) => ({
      view_id: picture.scene.viewId,
      channels: (await explainer.contrast(picture)).map(toWireChannel),
    })),
  );
}

/** What becomes of the scenes; reading each of them is listed with it. */
function listSteps(explains: MosaicAnswer, { request, pyramid }: PlannedMosaic) {
  const { selection, featherPx, dilateM } = request.composition;
  const by = 'by' in selection ? ` ${selection.by}` : '';
  const select = {
    step: 'select',
    stage: 'compose',
    detail: `${selection.kind}${by}, ${isPicking(selection) ? 'one scene for each pixel' : 'of all scenes'}`,
  };
  const dilate = { step: 'dilate', stage: 'masks', detail: `masks grow by ${dilateM} m` };
  const feather = { step: 'feather', stage: 'compose', detail: `over ${featherPx} pixels` };
  const measure = { step: 'contrast', stage: 'contrast', detail: 'the median of those of the listed scenes' };
  const draw = { step: 'draw', stage: 'draw', detail: 'colours, then the image format' };
  if (CONTRAST_ONLY.has(explains)) return [measure];
  const isShown = explains === 'mosaic' || explains === 'mosaic-sources';
  const composed = pyramid === null ? [...(dilateM > 0 ? [dilate] : []), select] : [];
  return [
    ...composed,
    ...(pyramid === null && featherPx > 0 ? [feather] : []),
    ...(explains === 'mosaic' ? [measure] : []),
    ...(isShown ? [draw] : []),
  ];
}
