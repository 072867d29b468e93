import type { Interval, Turned } from './cells.ts';
import { findInterval, makeCellFinder, setTurn } from './cells.ts';
import type { Crop } from './crops.ts';
import { makeField } from './field.ts';
import { gradientNoise, hash, random } from './noise.ts';

/** The parcel of farmland that a place is in. */
export interface Parcel {
  /** Seed of all that the parcel decides. */
  id: number;
  /** Seed of what parcels of one block share: a landowner's habits. */
  blockId: number;
  /** Metres to the parcel's border. */
  edgeM: number;
  /** Metres to the block's border, and which border it is: tracks run along some. */
  blockEdgeM: number;
  borderId: number;
  /** Metres across the rows and along them. */
  acrossM: number;
  alongM: number;
  /** The parcel's middle, the same for all its places. */
  centreX: number;
  centreY: number;
  /** What grows on it, null where nobody tills; the finder leaves it to its caller. */
  crop: Crop | null;
}

/** Blocks of parcels that share a direction, as land was cleared and later re-allotted. */
const blocks = { spacingM: 640, seed: 61 } as const;

/** Makes a finder of parcels; the finder reuses its answer. */
export function makeParcelFinder(): (x: number, y: number) => Parcel {
  const bendX = makeField(60, (x, y) => 16 * gradientNoise(x / 520, y / 520, 62));
  const bendY = makeField(60, (x, y) => 16 * gradientNoise(x / 520, y / 520, 63));
  const findBlock = makeCellFinder(blocks);
  const frame: Turned = { u: 0, v: 0, cos: 1, sin: 0 };
  const strip: Interval = { index: 0, edgeM: 0, middleM: 0 };
  const length: Interval = { index: 0, edgeM: 0, middleM: 0 };
  const parcel: Parcel = {
    id: 0,
    blockId: -1,
    edgeM: 0,
    blockEdgeM: 0,
    borderId: 0,
    acrossM: 0,
    alongM: 0,
    centreX: 0,
    centreY: 0,
    crop: null,
  };
  return (x, y) => {
    // Old borders are never quite straight; block borders follow older, more crooked ways.
    const straightX = x + bendX(x, y);
    const straightY = y + bendY(x, y);
    const block = findBlock(x + (straightX - x) * 3.2, y + (straightY - y) * 3.2);
    const seed = block.id;
    if (seed !== parcel.blockId) {
      parcel.blockId = seed;
      const direction = 0.06 + 0.1 * gradientNoise(block.centreX / 5200, block.centreY / 5200, 64);
      setTurn(frame, direction + (random(seed, 1, 65) - 0.5) * 0.09 + ((seed >>> 8) & 1) * 0.25);
    }
    const dx = straightX - block.centreX;
    const dy = straightY - block.centreY;
    frame.u = dx * frame.cos + dy * frame.sin;
    frame.v = dy * frame.cos - dx * frame.sin;
    // Strips 45 to 165 m wide, cut to lengths of two to four widths; cuts of neighbouring strips do not line up.
    const stripM = 45 + (120 * ((seed >>> 16) & 0xff)) / 256;
    findInterval(frame.v, { stepM: stripM, jitter: 0.62, seed }, strip);
    const cuts = hash(strip.index, seed, 66);
    const lengthM = stripM * (1.6 + (2.2 * (cuts & 0xffff)) / 65536);
    const shiftM = (977 * (cuts >>> 16)) / 65536;
    findInterval(frame.u + shiftM, { stepM: lengthM, jitter: 0.5, seed: seed + strip.index }, length);
    parcel.id = hash(strip.index, length.index, seed);
    parcel.edgeM = Math.min(strip.edgeM, length.edgeM, block.edgeM);
    parcel.blockEdgeM = block.edgeM;
    parcel.borderId = block.borderId;
    // One parcel in eight is worked the short way.
    const isAcross = (parcel.id & 7) === 0;
    parcel.acrossM = isAcross ? frame.u : frame.v;
    parcel.alongM = isAcross ? frame.v : frame.u;
    const u = length.middleM - shiftM;
    parcel.centreX = block.centreX + u * frame.cos - strip.middleM * frame.sin;
    parcel.centreY = block.centreY + u * frame.sin + strip.middleM * frame.cos;
    return parcel;
  };
}
