import type { SceneStore } from '../catalog/index.ts';
import { notFound } from '../errors.ts';
import type { ContrastRange } from '../stats/index.ts';
import type { Asker, FindContrast } from './contrast.ts';
import type { PictureFormat, RenderPlan } from './plan.ts';
import { toEtag } from './plan.ts';
import type { TileRequest } from './plan-tile.ts';
import { planTile } from './plan-tile.ts';
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
}

/** Plans and draws pictures. */
export interface Renderer {
  /** Decides everything but reads no pixel: enough to answer "not modified". */
  planTile(request: TileRequest): Promise<{ readonly plan: RenderPlan; readonly etag: string }>;
  render(plan: RenderPlan, asker: Asker & { readonly etag: string }): Promise<Picture>;
}

interface RendererDeps {
  readonly scenes: SceneStore;
  readonly findContrast: FindContrast;
  readonly pool: Pool;
  readonly timeoutMs: number;
}

/** Builds the renderer: plans here, pixels on the pool. */
export function makeRenderer({ scenes, findContrast, pool, timeoutMs }: RendererDeps): Renderer {
  return {
    async planTile(request) {
      const { viewId, sensor, sceneName } = request;
      const scene =
        (await scenes.findByViewId(viewId)) ?? (await scenes.findByName(sensor.dataset, sceneName));
      if (scene === null) throw notFound('unknown-scene', 'There is no such scene.');
      const plan = planTile(request, scene);
      return { plan, etag: toEtag(plan) };
    },

    async render(plan, { etag, owner, signal }) {
      const startedAt = performance.now();
      // Nothing of the scene reaches the picture: its contrast is not needed to draw nothing.
      const isEmpty = plan.channels.every((channel) => channel.warp === null);
      const contrast = isEmpty
        ? plan.channels.map(() => ({ min: 0, max: 1 }))
        : await findContrast(plan, { owner, signal });
      const contrastMs = performance.now() - startedAt;
      const input: DrawJob = { plan, contrast };
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
