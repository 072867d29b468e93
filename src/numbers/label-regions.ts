/** An image of labels; 0 is no label: it neither merges nor is merged into. */
export interface LabelImage {
  readonly labels: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** The regions of an image: pixels of one label that touch by their sides. */
export interface Regions {
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
