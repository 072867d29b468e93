import { clamp, smoothStep } from '../../numbers/easing.ts';
import type { Noise } from '../../numbers/noise.ts';
import { hash } from '../../numbers/noise.ts';
import type { MeshSpot } from '../base/farm-mesh.ts';
import { firstFieldPart, materialPart, zonePart } from '../parts.ts';
import type { Crowns } from './crowns.ts';
import type { Detail } from './detail.ts';
import { bandShare } from './detail.ts';
import type { Mixer } from './mixer.ts';

/** Paints a location in a field, its borders included. */
export type PaintField = (x: number, y: number, spot: MeshSpot, fieldId: number, mixer: Mixer) => void;

const parts = {
  track: materialPart('pale-soil'),
  hedge: zonePart('valley-broadleaf'),
  verge: zonePart('rough-grass'),
  ditch: zonePart('reeds'),
  asphalt: materialPart('asphalt'),
} as const;

/** Makes the painter of farmland: richer and poorer ground, rows, hedges, verges and farm tracks. */
export function makeFieldPainter(noise: Noise, detail: Detail, crowns: Crowns): PaintField {
  const seed = noise.salt(105);
  return (x, y, spot, fieldId, mixer) => {
    const rich = firstFieldPart + (fieldId - 1) * 2;
    const bits = hash(fieldId, 2, seed);
    mixer.begin(rich);
    // Poor patches: wet hollows, gravel, compacted ground; the same every year.
    const ground = noise.fractal(x / 260, y / 260, 3, 101);
    const rows = (noise.value(spot.acrossM / 13, spot.alongM / 260, bits & 0xff) - 0.5) * detail.of20;
    mixer.cover(rich + 1, smoothStep(-0.12, 0.42, ground + rows * 0.28 + ((bits >>> 8) & 0xff) / 1100 - 0.1));
    const soil = noise.gradient(x / 130, y / 130, 104) * detail.of200;
    mixer.tone = 1 + 0.07 * soil + rows * 0.12 + (((bits >>> 16) & 0xff) / 256 - 0.5) * 0.12;
    if (detail.isFine) {
      // Plant rows some metres apart, and the wheel tracks of the sprayer every 24 m.
      const drill = noise.value(spot.acrossM / 1.9, spot.alongM / 40, 106) - 0.5;
      const wheelM = Math.abs(spot.acrossM - Math.round(spot.acrossM / 24) * 24);
      mixer.tone *= 1 + 0.16 * drill;
      if (wheelM < 1.4) mixer.cover(parts.track, 0.28);
    }
    if (spot.edgeM < 16 + detail.sideM) paintBorder(x, y, spot, bits, mixer);
  };

  function paintBorder(x: number, y: number, spot: MeshSpot, bits: number, mixer: Mixer): void {
    const { sideM } = detail;
    const blockBits = hash(spot.block, 3, seed);
    const isBlockEdge = spot.blockEdgeM < spot.edgeM + 1;
    if (isBlockEdge && (blockBits & 0xff) < 150) {
      // A lane around the block: grass, ditch, then gravel or asphalt on the border itself.
      mixer.cover(parts.verge, bandShare(spot.edgeM - 7, 7, sideM) * 0.9);
      mixer.coverEvenly(
        (blockBits & 0x300) === 0 ? parts.asphalt : parts.track,
        bandShare(spot.edgeM - 2.4, 2.4, sideM),
      );
      // Trees along one lane in four.
      if ((blockBits & 0x6000) !== 0) return;
      const gaps = clamp(1.6 * noise.value(x / 30, y / 30, 107) - 0.5, 0, 1);
      mixer.cover(parts.hedge, bandShare(spot.edgeM - 9, 3, sideM) * gaps);
      return;
    }
    const kind = bits >>> 24;
    if (kind < 90) {
      const gaps = clamp(0.55 + 1.1 * noise.value(x / 26, y / 26, 106) - 0.3, 0, 1);
      mixer.cover(parts.hedge, bandShare(spot.edgeM - 3.5, 3.5, sideM) * gaps);
      if (detail.isFine && spot.edgeM < 4) mixer.tone *= crowns(x, y, 5.5);
    } else if (kind < 150) {
      mixer.cover(parts.ditch, bandShare(spot.edgeM - 2, 2, sideM));
    } else {
      mixer.cover(parts.verge, bandShare(spot.edgeM - 2.2, 2.2, sideM));
    }
  }
}
