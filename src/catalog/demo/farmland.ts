import { crops } from './crops.ts';
import { clamp } from './easing.ts';
import { makeField } from './field.ts';
import { fractalNoise, gradientNoise, hash, valueNoise } from './noise.ts';
import type { Parcel } from './parcels.ts';
import type { Spectrum } from './spectra.ts';
import { mixInto, scaleBy, spectra } from './spectra.ts';

/** Paints one place of a tilled parcel, borders included. */
type PaintParcel = (x: number, y: number, parcel: Parcel, target: Spectrum) => void;

/** Makes a painter of farmland. Soil changes over kilometres from pale to red, and over a hundred metres in brightness. */
export function makeFarmland(): PaintParcel {
  const redness = makeField(40, (x, y) => {
    const red = 0.75 * gradientNoise(x / 2600, y / 2600, 102) + 0.35 * gradientNoise(x / 310, y / 310, 103);
    return clamp(0.45 + red, 0, 1);
  });
  // Richer and poorer ground, which all crops show.
  const richness = makeField(20, (x, y) => fractalNoise(x / 210, y / 210, 3, 101));
  return (x, y, parcel, target) => {
    mixInto(target, spectra.paleSoil, 1);
    mixInto(target, spectra.redSoil, redness(x, y));
    scaleBy(target, 1 + 0.14 * gradientNoise(x / 120, y / 120, 104));
    paintCrop(parcel, richness(x, y), target);
    paintBorder(x, y, parcel, target);
  };
}

function paintCrop(parcel: Parcel, richness: number, target: Spectrum): void {
  const { id, crop, acrossM, alongM } = parcel;
  if (crop === null) return;
  if (crop === 'greenhouse') {
    // Tunnels of plastic with gaps between them.
    const gap = valueNoise(acrossM / 16, alongM / 90, id & 0xffff);
    mixInto(target, spectra.greenhouse, clamp(gap * 1.6 - 0.1, 0.2, 0.95));
    return;
  }
  const plan = crops[crop];
  const rows = (valueNoise(acrossM / 13, alongM / 260, id & 0xffff) - 0.5) * plan.rows;
  const fieldTone = (id & 0xff) / 256;
  const [low, high] = plan.green;
  const vigour = clamp(low + (high - low) * (fieldTone + richness * plan.patchiness) + rows, 0, 0.98);
  mixInto(target, plan.litter, plan.dry);
  mixInto(target, plan.canopy, vigour);
  scaleBy(target, 1 + (((id >>> 8) & 0xff) / 256 - 0.5) * 0.2 + rows * 0.4);
}

/** Tracks around blocks, hedges along some parcels, a strip of grass along the others. */
function paintBorder(x: number, y: number, parcel: Parcel, target: Spectrum): void {
  const trackM = parcel.blockEdgeM;
  const hasTrack = (hash(parcel.borderId, 0, 107) & 0xff) < 120;
  if (hasTrack && trackM < 12) {
    // A pixel is 10 m wide: the line covers the share of it that lies within the line's edge.
    if ((parcel.borderId & 3) === 0) mixInto(target, spectra.oak, 0.6 * clamp((11 - trackM) / 10, 0, 1));
    mixInto(target, spectra.paleSoil, clamp((2.2 + 5 - trackM) / 10, 0, 1));
    return;
  }
  if (parcel.edgeM > 9) return;
  const share = clamp((1.8 + 5 - parcel.edgeM) / 10, 0, 1);
  const hasHedge = (hash(parcel.blockId, (parcel.id >>> 4) & 3, 105) & 0xff) < 70;
  if (hasHedge)
    mixInto(target, spectra.oak, share * clamp(0.4 + 1.3 * valueNoise(x / 26, y / 26, 106), 0, 1));
  else mixInto(target, spectra.dryGrass, share * 0.75);
}
