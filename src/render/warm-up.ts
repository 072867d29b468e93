import type { Scene, SceneStore } from '../catalog/index.ts';
import type { Ticket } from '../pool/index.ts';
import { chooseComposition, sensorByDataset } from '../sensors/index.ts';
import type { FindIntensity } from './intensity/find-intensity.ts';
import { toWholeGrid } from './pictures/picture-grids.ts';
import type { RenderOptions } from './pictures/plan-picture.ts';
import type { Renderer } from './renderer.ts';

interface WarmUpDeps {
  readonly scenes: Pick<SceneStore, 'list'>;
  readonly renderer: Pick<Renderer, 'plan' | 'render'>;
  readonly findIntensity: FindIntensity;
  /** Pictures that are drawn side by side. */
  readonly threads: number;
  /** The longer side of a picture. */
  readonly sidePx: number;
}

/** Records that are searched for a scene on this machine. */
const MAX_LOOKED_AT = 50;

/**
 * Draws a picture on every thread that no one asked for, so that the first one after a start is as fast as any
 * other: code is compiled when it first runs, and V8 collects what starting has left behind when memory first grows.
 * Together that is half a second of two cores. Reads only files of this machine: others may cost money. False when the
 * catalog has no scene on this machine.
 */
export async function warmUp(
  { scenes, renderer, findIntensity, threads, sidePx }: WarmUpDeps,
  ticket: Ticket,
): Promise<boolean> {
  const found = await findNearScene(scenes);
  if (found === null) return false;
  const { scene, sensor, bands } = found;
  const request = { viewId: scene.viewId, sceneName: scene.sceneId, sensor, bands };
  // Sizes differ, or all threads but one would wait for the one picture.
  const sizes = Array.from({ length: threads }, (_, i) => sidePx + i);
  await Promise.all(
    sizes.map(async (size) => {
      const grid = toWholeGrid(scene.footprint, size);
      await renderer.render(await renderer.plan({ ...request, grid, options: DEFAULTS }), ticket);
    }),
  );
  const rule = { method: 'cc', lowPercent: 2, highPercent: 98, cloudPercent: 0 } as const;
  const whole = { countsClouds: true, onlyOpaque: null, calibrated: false, within: null, area: null };
  await findIntensity({ ...request, rule, ...whole }, ticket);
  return true;
}

const DEFAULTS: RenderOptions = {
  format: 'png',
  method: null,
  range: null,
  calibrated: false,
  isComposite: false,
  color: {},
  area: null,
  watermark: null,
};

/** A scene whose shown bands all lie on this machine. */
async function findNearScene(scenes: WarmUpDeps['scenes']) {
  let lookedAt = 0;
  for await (const scene of scenes.list()) {
    const sensor = sensorByDataset(scene.dataset);
    const bands = sensor && chooseComposition(sensor, (name) => Object.hasOwn(scene.assets, name));
    if (sensor && bands?.every((band) => isNear(scene, band))) return { scene, sensor, bands: bands.join() };
    lookedAt += 1;
    if (lookedAt === MAX_LOOKED_AT) return null;
  }
  return null;
}

/** Stores that are connected to before they are needed. */
const MAX_ORIGINS = 4;

/** A file of each store that the first scenes of the catalog lie in. */
export async function findRemoteFiles(scenes: Pick<SceneStore, 'list'>) {
  const files = new Map<string, { readonly href: string; readonly stamp: string | null }>();
  let lookedAt = 0;
  for await (const { assets } of scenes.list()) {
    for (const { href, stamps } of Object.values(assets)) {
      const origin = /^(https?|s3):\/\/[^/]+/.exec(href)?.[0];
      if (origin !== undefined && !files.has(origin)) files.set(origin, { href, stamp: stamps?.[0] ?? null });
    }
    lookedAt += 1;
    if (files.size >= MAX_ORIGINS || lookedAt === MAX_LOOKED_AT) break;
  }
  return [...files.values()].slice(0, MAX_ORIGINS);
}

const isNear = ({ assets }: Scene, band: string): boolean => !/^\w+:\/\//.test(assets[band]?.href ?? '://');
