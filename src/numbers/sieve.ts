import { internal } from './errors.ts';

/** An image of labels. Pixels with 0 have no label: their regions are never merged. */
interface LabelImage {
  readonly labels: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Passes end by themselves, since each leaves fewer regions; pure noise took eleven. */
const MAX_PASSES = 100;

/**
 * Gives regions (pixels of one label that touch by their sides) of fewer than `minPixels` pixels the label of their
 * largest neighbour, repeatedly, until none of the remaining ones has a neighbour that is large or became part of a
 * large one. One pass equals gdal_sieve; every pass takes linear time.
 */
export function sieve(image: LabelImage, minPixels: number): Uint8Array {
  const { labels, width, height } = image;
  if (labels.length !== width * height)
    throw internal('label-image', `An image of ${width} × ${height} cannot have ${labels.length} labels.`);
  let current = labels;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const next = sieveOnce({ labels: current, width, height }, minPixels);
    if (next === null) break;
    current = next;
  }
  return current === labels ? labels.slice() : current;
}

/** One pass; null when it changed nothing. */
function sieveOnce(image: LabelImage, minPixels: number): Uint8Array | null {
  const { regions, sizes, firsts } = labelRegions(image);
  const goals = findLargestNeighbours(image, regions, sizes);
  // Where none is large enough, the others become part of the largest.
  const isShown = (region: number): boolean => image.labels[firsts[region]!] !== 0;
  const largest = sizes.reduce((max, size, region) => (size > max && isShown(region) ? size : max), 0);
  const limit = Math.min(minPixels, largest);
  if (!followToLarge(goals, sizes, limit)) return null;
  const sieved = image.labels.slice();
  for (let i = 0; i < sieved.length; i++) {
    const goal = goals[regions[i]!]!;
    if (goal >= 0) sieved[i] = image.labels[firsts[goal]!]!;
  }
  return sieved;
}

/**
 * The largest neighbour of each region, -1 where there is none; of equal ones the first, row by row, above before left.
 */
function findLargestNeighbours(
  { labels, width }: LabelImage,
  regions: Int32Array,
  sizes: Int32Array,
): Int32Array {
  const largest = new Int32Array(sizes.length).fill(-1);
  const offer = (region: number, other: number): void => {
    const known = largest[region]!;
    if (known < 0 || sizes[known]! < sizes[other]!) largest[region] = other;
  };
  const meet = (i: number, j: number): void => {
    if (regions[i] === regions[j] || labels[i] === 0 || labels[j] === 0) return;
    offer(regions[i]!, regions[j]!);
    offer(regions[j]!, regions[i]!);
  };
  for (let i = 0, x = 0; i < labels.length; i++) {
    if (i >= width) meet(i, i - width);
    if (x > 0) meet(i, i - 1);
    x = x + 1 === width ? 0 : x + 1;
  }
  return largest;
}

/**
 * Replaces the largest neighbour of every small region by the large region that is reached from it, from neighbour to
 * neighbour, or by -1 where the path is a cycle; large regions get -1. True when some region has a target.
 */
function followToLarge(goals: Int32Array, sizes: Int32Array, minPixels: number): boolean {
  /** 0 not visited, 1 on the current path, 2 done. */
  const states = new Uint8Array(goals.length);
  const way: number[] = [];
  let hasGoal = false;
  for (let start = 0; start < goals.length; start++) {
    let region = start;
    while (region >= 0 && states[region] === 0 && sizes[region]! < minPixels) {
      states[region] = 1;
      way.push(region);
      region = goals[region]!;
    }
    // A large region is the target; one that is done knows it; one on the current path closes a cycle.
    let goal = -1;
    if (region >= 0 && sizes[region]! >= minPixels) goal = region;
    else if (region >= 0 && states[region] === 2) goal = goals[region]!;
    hasGoal ||= goal >= 0 && way.length > 0;
    for (const passed of way) {
      goals[passed] = goal;
      states[passed] = 2;
    }
    way.length = 0;
  }
  for (let region = 0; region < goals.length; region++) if (sizes[region]! >= minPixels) goals[region] = -1;
  return hasGoal;
}

/** Pixels of an area on the ground: smaller regions are sieved out. */
export const toMinPixels = (areaM2: number, pixelAreaM2: number): number => Math.ceil(areaM2 / pixelAreaM2);

/** The regions of an image: pixels of one label that touch by their sides. */
interface Regions {
  /** The region of every pixel. */
  readonly regions: Int32Array;
  /** The pixel count of every region. */
  readonly sizes: Int32Array;
  /** The first pixel of every region. */
  readonly firsts: Int32Array;
}

/** Finds regions in two passes: runs join those above them, then all parts of a region get one number. */
export function labelRegions({ labels, width }: LabelImage): Regions {
  const regions = new Int32Array(labels.length);
  // A new part begins at a pixel that has neither its upper nor its left neighbour's label: at most one per pixel.
  const parents = new Int32Array(labels.length);
  let parts = 0;
  for (let i = 0, x = 0; i < labels.length; i++) {
    const label = labels[i];
    const above = i >= width && labels[i - width] === label ? find(parents, regions[i - width]!) : -1;
    const left = x > 0 && labels[i - 1] === label ? find(parents, regions[i - 1]!) : -1;
    if (above < 0 && left < 0) parents[parts] = parts;
    if (above >= 0 && left >= 0) parents[Math.max(above, left)] = Math.min(above, left);
    regions[i] =
      above < 0 && left < 0 ? parts++ : above < 0 ? left : left < 0 ? above : Math.min(above, left);
    x = x + 1 === width ? 0 : x + 1;
  }

  // Parents have smaller numbers than their children, so one pass upward numbers all parts.
  const numbers = parents.subarray(0, parts);
  let count = 0;
  for (let part = 0; part < parts; part++)
    numbers[part] = numbers[part] === part ? count++ : numbers[numbers[part]!]!;
  const sizes = new Int32Array(count);
  const firsts = new Int32Array(count);
  for (let i = labels.length - 1; i >= 0; i--) {
    const region = numbers[regions[i]!]!;
    regions[i] = region;
    sizes[region]!++;
    firsts[region] = i;
  }
  return { regions, sizes, firsts };
}

/** The oldest part that a part was joined to; halves the path for later lookups. */
function find(parents: Int32Array, part: number): number {
  let at = part;
  while (parents[at] !== at) {
    const grandparent = parents[parents[at]!]!;
    parents[at] = grandparent;
    at = grandparent;
  }
  return at;
}
