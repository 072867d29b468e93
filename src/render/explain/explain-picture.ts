import { countColors } from '../../color/index.ts';
import type { Grid } from '../../geo/index.ts';
import { toShownFile } from '../../net/index.ts';
import type { Ticket } from '../../pool/index.ts';
import type { FindKnownContrast, KnownContrast } from '../intensity/known-contrast.ts';
import type { PlannedPicture } from '../pictures/plan-picture.ts';
import type { RenderLimits } from '../plan/plan-inputs.ts';
import { isEmptyPlan } from '../plan/plan-inputs.ts';
import type { CloudPlan, RenderPlan, SceneRef } from '../plan/render-plan.ts';
import type { ExplainedInput, ExplainInputs } from './explain-inputs.ts';
import { listInputs } from './explain-inputs.ts';
import type { ExplainedCost, ExplainedStep } from './explain-pixels.ts';
import { explainCost, listPixelSteps } from './explain-pixels.ts';

/** A scene that an answer is made of. */
export interface ExplainedScene extends SceneRef {
  readonly role: 'shown' | 'earlier';
}

/** All that decides a picture, and what drawing it takes; plain JSON without secrets. */
export interface ExplainedPicture {
  readonly etag: string;
  readonly bands: string;
  readonly scenes: readonly ExplainedScene[];
  readonly grid: Grid;
  /** An input has no pixel here: the picture is transparent, and nothing is read. */
  readonly isEmpty: boolean;
  readonly inputs: readonly ExplainedInput[];
  readonly steps: readonly ExplainedStep[];
  readonly channels: readonly KnownContrast[];
  readonly cost: ExplainedCost;
  /** Whether the finished picture is in the cache. */
  readonly isCached: boolean;
}

/** Explains a planned picture without drawing it. */
export type ExplainPicture = (picture: PlannedPicture, ticket: Ticket) => Promise<ExplainedPicture>;

interface ExplainDeps {
  readonly explainInputs: ExplainInputs;
  readonly findKnownContrast: FindKnownContrast;
  readonly pictures: { find(planned: PlannedPicture): Promise<unknown> };
  readonly limits: RenderLimits;
}

/** Builds it. */
export const makeExplainPicture =
  ({ explainInputs, findKnownContrast, pictures, limits }: ExplainDeps): ExplainPicture =>
  async (picture, ticket) => {
    const { plan, scene, etag, request } = picture;
    const isEmpty = isEmptyPlan(plan);
    return {
      etag,
      bands: request.bands,
      scenes: listScenes(plan, scene.earlier),
      grid: plan.grid,
      isEmpty,
      inputs: await explainInputs(listInputs(plan, toMasks(plan)), ticket, !isEmpty),
      steps: listSteps(plan),
      // A transparent picture needs no contrast.
      channels: isEmpty ? [] : await findKnownContrast(picture),
      cost: explainCost(plan, plan.bytes, limits),
      isCached: (await pictures.find(picture)) !== null,
    };
  };

/** The clouds that are painted over a picture. */
const toMasks = ({ viewId, sceneVersion, clouds }: RenderPlan) =>
  (clouds?.plans ?? []).map((plan) => ({ viewId, sceneVersion, plan }));

/** The scenes that a plan reads. */
export const listScenes = (
  { viewId, sceneVersion }: SceneRef,
  earlier?: { readonly viewId: string; readonly version: string } | null,
): readonly ExplainedScene[] => [
  { role: 'shown', viewId, sceneVersion },
  ...(earlier == null
    ? []
    : [{ role: 'earlier', viewId: earlier.viewId, sceneVersion: earlier.version } as const]),
];

/** Every step that a picture takes. */
function listSteps(plan: RenderPlan): readonly ExplainedStep[] {
  const { clusters, area, color, clouds, watermark, format } = plan;
  const encode = {
    step: 'encode',
    stage: 'encode',
    detail: format === 'auto' ? 'jpeg if all pixels are opaque, png otherwise' : format,
  } as const;
  if (isEmptyPlan(plan)) return [encode];
  return [
    ...listPixelSteps(plan),
    ...(clusters === undefined
      ? []
      : [{ step: 'classify', stage: 'math', detail: `at most ${clusters.count} classes` } as const]),
    ...(area === null ? [] : [{ step: 'crop', stage: 'math', detail: `to the area ${area}` } as const]),
    { step: 'colour', stage: 'colour', detail: describeColor(plan) },
    ...(clouds?.plans ?? []).map(
      (one) => ({ step: 'clouds', stage: 'colour', detail: describeClouds(one) }) as const,
    ),
    ...(watermark === null ? [] : [{ step: 'watermark', stage: 'colour', detail: 'a text' } as const]),
    encode,
  ];

  function describeColor({ stretches }: RenderPlan): string {
    if (color !== null) return `${color.kind} of ${countColors(color.colors)} colours`;
    return stretches.length === 1 ? 'grey' : 'red, green and blue';
  }
}

/** Where clouds are known from. */
function describeClouds({ source, onlyOpaque }: CloudPlan): string {
  const what = onlyOpaque ? 'opaque clouds' : 'clouds and cirrus';
  return source.kind === 'polygons'
    ? `${what} by the outlines of ${toShownFile(source.href).name ?? 'a file'}`
    : `${what} by the ${source.meaning.kind} of ${source.inputs.map(({ band }) => band).join(', ')}`;
}
