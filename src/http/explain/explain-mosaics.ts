import type { Mosaics, PlannedMosaic } from '../../mosaic/index.ts';
import type { Explainer } from '../../render/index.ts';
import { DEFAULT_LIMITS } from '../../render/index.ts';
import type { Answer } from '../kit/answers.ts';
import type { ApiRequest } from '../kit/endpoint.ts';
import type { ExplainMode } from './explain-answers.ts';
import { answerExplanation, toWireCost, toWireGrid, toWireInput, traceJobs } from './explain-answers.ts';

/** What mosaics are explained with. */
interface ExplainDeps {
  readonly explainer: Pick<Explainer, 'pixels'>;
  readonly mosaics: Mosaics;
  readonly mode: ExplainMode;
}

/** Scenes that are listed, and scenes whose files are looked at. */
const MAX_LISTED = 100;
const MAX_PARTS = 10;

/** Answers with the plan of a mosaic: the scenes in their order, and what is read of the first; or also draws it. */
export async function explainMosaic(
  request: ApiRequest,
  planned: PlannedMosaic,
  { explainer, mosaics, mode }: ExplainDeps,
): Promise<Answer> {
  const { bands, grid } = planned.request;
  const first = await mosaics.planFirst(planned);
  const parts = [];
  for (const { part, bytes, scene } of first.slice(0, MAX_PARTS)) {
    const { pixels: plan, masks } = part;
    const ref = { viewId: plan.viewId, sceneVersion: plan.sceneVersion };
    const own = masks.map((mask) => ({ plan: mask, ...ref }));
    const limits = DEFAULT_LIMITS;
    const explained = await explainer.pixels({ bands, plan, masks: own, bytes, limits }, request.ticket);
    parts.push({
      view_id: scene.viewId,
      inputs: explained.inputs.map(toWireInput),
      cost: toWireCost(explained.cost),
    });
  }
  const { pyramid, candidates, others } = planned;
  const body = {
    explains: 'mosaic',
    etag: `"${planned.etag}"`,
    bands,
    grid: toWireGrid(grid),
    scenes: candidates.slice(0, MAX_LISTED).map(({ hit }) => ({
      view_id: hit.viewId,
      version: hit.version,
      role: 'candidate',
    })),
    found: candidates.length + others,
    ...(pyramid === null ? {} : { pyramid: `${pyramid.tile.z}/${pyramid.tile.x}/${pyramid.tile.y}` }),
    parts,
    cached: await mosaics.isCached(planned),
  };
  if (mode === 'plan') return answerExplanation(request, body);
  const trace = traceJobs(request.ticket);
  const { format, bytes, stagesMs } = await mosaics.render(planned, trace.ticket);
  const drawn = { ...trace.toDrawn(stagesMs), picture: { format, bytes: bytes.length } };
  return answerExplanation(request, { ...body, drawn });
}
