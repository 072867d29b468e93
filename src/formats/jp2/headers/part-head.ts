import { MARKER } from './markers.ts';

/** The twelve bytes of an SOT segment. */
export interface PartHead {
  readonly tile: number;
  /** 0: to the end of the codestream. */
  readonly length: number;
  /** Its index among the parts of its tile. */
  readonly part: number;
  /** Parts of its tile; 0: not said here. */
  readonly partCount: number;
}

/** Bytes of an SOT segment. */
export const SOT_BYTES = 12;

/** Reads an SOT segment; null when something else stands there. */
export function parsePartHead(view: DataView): PartHead | null {
  if (view.getUint16(0) !== MARKER.sot || view.getUint16(2) !== 10) return null;
  return {
    tile: view.getUint16(4),
    length: view.getUint32(6),
    part: view.getUint8(10),
    partCount: view.getUint8(11),
  };
}
