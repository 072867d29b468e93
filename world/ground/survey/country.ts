import { clamp, smoothStep } from '../../numbers/easing.ts';
import type { Noise } from '../../numbers/noise.ts';
import { hash } from '../../numbers/noise.ts';
import type { MeshSpot } from '../base/farm-mesh.ts';
import { makeMeshFinder, makeMeshSpot, slotsPerBlock } from '../base/farm-mesh.ts';
import { woodlot } from '../base/farm-plan.ts';
import type { GroundBase } from '../base/ground-base.ts';
import { firstFieldPart, materialPart, zonePart } from '../parts.ts';
import type { Crowns, Detail } from './detail.ts';
import { bandShare, makeCrowns, planDetail } from './detail.ts';
import type { GroundSample } from './height.ts';
import type { Mixer } from './mixer.ts';
import { makeMixer } from './mixer.ts';
import { makeWildlandPainter } from './wildland.ts';

/** Paints fields and what grows by itself; returns the number of the field the location lies in, 0 outside. */
type PaintCountry = (x: number, y: number, ground: GroundSample, mixer: Mixer) => number;

interface CountryTools {
  readonly base: GroundBase;
  readonly noise: Noise;
}

/** Fields lie below 240 m and are nearly flat: nowhere does one reach this. */
const aboveFieldsM = 420;

/** Of wider pixels many lie across borders, and nothing sharpens them: looking again would cost more than it shows. */
const widestSplitM = 30;

const roughGrass = zonePart('rough-grass');

/** Makes the painter of the country: pixels across a border of fields show some of both. */
export function makeCountryPainter(tools: CountryTools, detail: Detail): PaintCountry {
  const paintWhole = makePointPainter(tools, detail);
  const paintQuarter = makePointPainter(tools, planDetail(detail.sideM / 2));
  const quarter = makeMixer();
  const splitM = detail.isFine || detail.sideM > widestSplitM ? 0 : detail.sideM / 2;
  return (x, y, ground, mixer) => {
    const { fieldId, edgeM } = paintWhole(x, y, ground, mixer);
    if (edgeM >= splitM) return fieldId;
    mixer.clear();
    const offM = detail.sideM / 4;
    for (let i = 0; i < 4; i++) {
      paintQuarter(x + ((i & 1) === 0 ? -offM : offM), y + (i < 2 ? -offM : offM), ground, quarter);
      mixer.addMixture(quarter, 0.25);
    }
    return fieldId;
  };
}

/** What lies at a location; reused. */
interface FieldPosition {
  fieldId: number;
  /** Metres to the next field or wood; without end where there are no fields. */
  edgeM: number;
}

/** Paints by what lies at a location's middle. */
function makePointPainter({ base, noise }: CountryTools, detail: Detail) {
  const paintWildland = makeWildlandPainter(noise, detail);
  const paintField = makeFieldPainter(noise, detail, makeCrowns(noise));
  const findPiece = makeMeshFinder(base.farm.mesh, base.farm.meshSeed);
  const piece = makeMeshSpot();
  const found: FieldPosition = { fieldId: 0, edgeM: 0 };
  return (x: number, y: number, ground: GroundSample, mixer: Mixer): FieldPosition => {
    const isPiece = ground.heightM < aboveFieldsM && findPiece(x, y, piece);
    const slot = isPiece ? base.farm.slots[piece.block * slotsPerBlock + piece.slot]! : 0;
    found.fieldId = Math.max(0, slot);
    found.edgeM = isPiece ? piece.edgeM : Number.POSITIVE_INFINITY;
    if (slot > 0) {
      paintField(x, y, piece, slot, mixer);
      return found;
    }
    paintWildland(x, y, ground, slot === 0 ? 0.1 : slot === woodlot ? 0.25 : -0.75, mixer);
    if (slot < 0) mixer.cover(roughGrass, bandShare(piece.edgeM - 2, 2, detail.sideM));
    return found;
  };
}

/** Paints a location in a field, its borders included. */
type PaintField = (x: number, y: number, spot: MeshSpot, fieldId: number, mixer: Mixer) => void;

const parts = {
  track: materialPart('pale-soil'),
  hedge: zonePart('valley-broadleaf'),
  verge: zonePart('rough-grass'),
  ditch: zonePart('reeds'),
  asphalt: materialPart('asphalt'),
} as const;

/** Makes the painter of farmland: richer and poorer ground, rows, hedges, verges and farm tracks. */
function makeFieldPainter(noise: Noise, detail: Detail, crowns: Crowns): PaintField {
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
