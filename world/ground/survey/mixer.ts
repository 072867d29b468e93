/** Puts parts over each other as shares of a pixel, and keeps the largest. Reused from pixel to pixel. */
export interface Mixer {
  /** Starts a pixel that is all `part`. */
  begin(part: number): void;
  /** Covers `share` of what is there by `part`. */
  cover(part: number, share: number): void;
  /** The same with something even: the tone of what it covers goes with it. */
  coverEvenly(part: number, share: number): void;
  /** Makes the mixture empty, for `addMixture`. */
  clear(): void;
  /** Adds another mixture and its tone at a weight: for pixels averaged from several locations. */
  addMixture(other: Mixer, weight: number): void;
  /** Brightness of the location against its parts' own, 1 as it is; painters multiply it. */
  tone: number;
  readonly parts: Int32Array;
  readonly shares: Float64Array;
  count: number;
}

const maxParts = 64;

/** Makes an empty mixer. */
export function makeMixer(): Mixer {
  const parts = new Int32Array(maxParts);
  const shares = new Float64Array(maxParts);
  const add = (part: number, share: number): void => {
    for (let i = 0; i < mixer.count; i++) {
      if (parts[i] !== part) continue;
      shares[i]! += share;
      return;
    }
    if (mixer.count === maxParts) return;
    parts[mixer.count] = part;
    shares[mixer.count] = share;
    mixer.count++;
  };
  const mixer: Mixer = {
    tone: 1,
    parts,
    shares,
    count: 0,
    begin(part) {
      mixer.count = 1;
      mixer.tone = 1;
      parts[0] = part;
      shares[0] = 1;
    },
    cover(part, share) {
      if (share <= 0.004) return;
      if (share >= 1) {
        mixer.count = 1;
        parts[0] = part;
        shares[0] = 1;
        return;
      }
      for (let i = 0; i < mixer.count; i++) shares[i]! *= 1 - share;
      add(part, share);
    },
    coverEvenly(part, share) {
      if (share <= 0.004) return;
      mixer.cover(part, share);
      mixer.tone = 1 + (mixer.tone - 1) * (1 - Math.min(1, share));
    },
    clear() {
      mixer.count = 0;
      mixer.tone = 0;
    },
    addMixture(other, weight) {
      for (let i = 0; i < other.count; i++) add(other.parts[i]!, other.shares[i]! * weight);
      mixer.tone += other.tone * weight;
    },
  };
  return mixer;
}

/** Parts a pixel keeps: a town's lawns, trees, streets and three kinds of roofs. */
export const storedParts = 6;

/** Writes the largest parts at pixel `at`, their shares in 255ths that sum to 255 exactly. */
export function storeMixture(
  { parts, shares, count }: Mixer,
  at: number,
  out: { readonly parts: Uint16Array; readonly shares: Uint8Array },
): void {
  const pixels = out.shares.length / storedParts;
  const stored = Math.min(count, storedParts);
  let sum = 0;
  // Selection of the largest to the front: mixtures have few parts, mostly no more than three.
  for (let k = 0; k < stored; k++) {
    let best = k;
    for (let i = k + 1; i < count; i++) if (shares[i]! > shares[best]!) best = i;
    const share = shares[best]!;
    const part = parts[best]!;
    shares[best] = shares[k]!;
    parts[best] = parts[k]!;
    shares[k] = share;
    parts[k] = part;
    sum += share;
  }
  let left = 255;
  for (let k = stored - 1; k > 0; k--) {
    const share = Math.round((shares[k]! / sum) * 255);
    out.parts[k * pixels + at] = parts[k]!;
    out.shares[k * pixels + at] = share;
    left -= share;
  }
  out.parts[at] = parts[0]!;
  out.shares[at] = left;
}
