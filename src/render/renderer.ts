import type { SceneName, SceneStore } from '../catalog/index.ts';
import { findScene } from '../catalog/index.ts';
import type { AreaOutline } from '../geo/index.ts';
import type { ContrastRange } from '../stats/index.ts';
import type { Asker, FindContrast, PlannedScene } from './contrast.ts';
import type { PictureFormat, RenderPlan } from './plan.ts';
import { toEtag } from './plan.ts';
import { makePlanExpressions } from './plan-expressions.ts';
import type { PictureRequest } from './plan-picture.ts';
import { planPicture } from './plan-picture.ts';
import type { Pool } from './pool/index.ts';

/** A finished picture; complete by definition, a render that misses a block is an error. */
export interface Picture {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly format: PictureFormat;
  /** Where the time went, stage by stage. */
  readonly stagesMs: Readonly<Record<string, number>>;
}

/** The work of drawing, as a thread gets it. */
export interface DrawJob {
  readonly plan: RenderPlan;
  /** One for each channel. */
  readonly contrast: readonly ContrastRange[];
  /** What lies outside is transparent; null without an area. */
  readonly outline: AreaOutline | null;
}

/** A picture that is decided and not drawn yet. */
export interface PlannedPicture extends PlannedScene {
  readonly etag: string;
  /** Of the area that the plan names. */
  readonly outline: AreaOutline | null;
}

/** A picture of a scene that is to be found first. */
export type ScenePictureRequest = PictureRequest & SceneName;

/** Plans and draws pictures. */
export interface Renderer {
  /** Decides everything but reads no pixel: enough to answer "not modified". */
  plan(request: ScenePictureRequest): Promise<PlannedPicture>;
  render(picture: PlannedPicture, asker: Asker): Promise<Picture>;
}

interface RendererDeps {
  readonly scenes: SceneStore;
  readonly findContrast: FindContrast;
  readonly pool: Pool;
  readonly timeoutMs: number;
}

/** Builds the renderer: plans here, pixels on the pool. */
export function makeRenderer({ scenes, findContrast, pool, timeoutMs }: RendererDeps): Renderer {
  const readExpressions = makePlanExpressions();
  return {
    async plan(request) {
      const scene = await findScene(scenes, request);
      const plan = planPicture(request, scene, readExpressions);
      return { plan, scene, etag: toEtag(plan), outline: request.options.area?.outline ?? null };
    },

    async render(picture, { owner, signal }) {
      const { plan, etag, outline } = picture;
      const startedAt = performance.now();
      // A band has nothing to show here, so nothing is drawn: no contrast is needed for that.
      const isEmpty = plan.inputs.some(({ warp }) => warp === null);
      const contrast = isEmpty
        ? plan.stretches.map(() => ({ min: 0, max: 1 }))
        : await findContrast(picture, { owner, signal });
      const contrastMs = performance.now() - startedAt;
      const input: DrawJob = { plan, contrast, outline };
      const { output, queuedMs } = await pool.run<Picture>({
        kind: 'draw',
        input,
        priority: 'tile',
        owner,
        bytes: plan.bytes,
        timeoutMs,
        signal,
        singleFlightKey: `draw ${etag}`,
      });
      return { ...output, stagesMs: { contrast: contrastMs, queue: queuedMs, ...output.stagesMs } };
    },
  };
}
