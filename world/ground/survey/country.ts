import type { Noise } from '../../numbers/noise.ts';
import { makeMeshFinder, makeMeshSpot, slotsPerBlock } from '../base/farm-mesh.ts';
import { woodlot } from '../base/farm-plan.ts';
import type { GroundBase } from '../base/ground-base.ts';
import { zonePart } from '../parts.ts';
import { makeCrowns } from './crowns.ts';
import type { Detail } from './detail.ts';
import { bandShare, planDetail } from './detail.ts';
import { makeFieldPainter } from './farmland.ts';
import type { GroundSample } from './height.ts';
import type { Mixer } from './mixer.ts';
import { makeMixer } from './mixer.ts';
import { makeWildlandPainter } from './wildland.ts';

/** Paints fields and what grows by itself; returns the number of the field the location lies in, 0 outside. */
export type PaintCountry = (x: number, y: number, ground: GroundSample, mixer: Mixer) => number;

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
