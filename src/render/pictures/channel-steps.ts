import { toGround } from '../clouds/draw-clouds.ts';
import { showClusters, showZones } from '../clusters/show-clusters.ts';
import { sharpenChannels } from '../pansharpening/sharpen-channels.ts';
import { intersectMask, maskAreas } from '../pixels/area-mask.ts';
import { readSources, warpSources } from '../pixels/read-inputs.ts';
import type { Canvas, DrawStep } from './canvas.ts';
import { toShownPlanes } from './shown-planes.ts';

/** Rasterises the area that the picture is cropped to. */
export const maskArea: DrawStep = (canvas) => {
  const { outline, plan } = canvas.job;
  return { ...canvas, inside: maskAreas(outline === null ? [] : [outline], plan.grid) };
};

/** Reads the bands that the picture shows, or that clouds are painted on. */
export const readBands: DrawStep = async (canvas, work) => {
  const { plan } = canvas.job;
  const isNeeded = !isOutside(canvas) && (isComputed(canvas) || plan.clouds !== undefined);
  return { ...canvas, sources: isNeeded ? await readSources(plan, work) : null };
};

/** Warps the bands onto the picture's grid. */
export const warpBands: DrawStep = (canvas, work) => {
  const { sources, job } = canvas;
  return { ...canvas, inputs: sources && warpSources(sources, job.plan, work) };
};

/** Marks where the bands have data, for the clouds: later steps change the masks. */
export const markGround: DrawStep = (canvas, { kernels }) => {
  const { inputs, job, count } = canvas;
  if (inputs === null || job.plan.clouds === undefined) return canvas;
  return { ...canvas, ground: toGround(inputs, kernels, count) };
};

/** Computes the channels of the picture, or takes them from a map of zones. */
export const computeShown: DrawStep = (canvas, work) => {
  const { inputs, job } = canvas;
  const { plan, contrast, clusters } = job;
  if (isComputed(canvas))
    return { ...canvas, shown: inputs && toShownPlanes(plan, { warped: inputs, contrast }, work) };
  const zones = clusters?.zones ?? null;
  const planes = zones === null || isOutside(canvas) ? null : showZones(zones, plan.grid, work);
  return { ...canvas, shown: planes && { planes, stretches: contrast } };
};

/** Sharpens the channels in place with the panchromatic band, if the plan says so. */
export const sharpenShown: DrawStep = async (canvas, work) => {
  const { shown, job } = canvas;
  if (shown === null) return canvas;
  const { bandsAt, maskAt } = shown.planes;
  const channels = bandsAt.map((valuesAt) => ({ valuesAt, maskAt }));
  const details = job.contrast.map(({ detail }) => detail);
  await sharpenChannels(job.plan, { channels, details }, work);
  return canvas;
};

/** Replaces values by their classes, in place, if the picture shows classes without zones. */
export const classifyShown: DrawStep = (canvas, { kernels }) => {
  const { shown, job } = canvas;
  const { clusters } = job;
  if (shown !== null && clusters !== undefined && clusters.zones === null)
    showClusters(shown.planes, clusters.model, kernels);
  return canvas;
};

/** Clears the mask outside the area, in place. */
export const cropShown: DrawStep = (canvas, { kernels }) => {
  const { shown, inside } = canvas;
  if (shown !== null && inside !== null)
    intersectMask(new Uint8Array(kernels.buffer(), shown.planes.maskAt, inside.length), inside);
  return canvas;
};

const isOutside = ({ inside }: Canvas): boolean => inside !== null && !inside.includes(1);

/** False for a map of zones, which is complete, and where no classes were found, so that there is nothing to show. */
const isComputed = ({ job: { plan, clusters } }: Canvas): boolean =>
  plan.clusters === undefined || (clusters !== undefined && clusters.zones === null);
