import { unsupported } from '../../../errors.ts';
import { damaged } from './byte-window.ts';

/** Orders of packets (ISO/IEC 15444-1, B.12.1), by their numbers in COD: L is layer, R resolution, C band, P position. */
const PROGRESSIONS = ['LRCP', 'RLCP', 'RPCL', 'PCRL', 'CPRL'] as const;
/** The order of packets in a tile. */
export type Progression = (typeof PROGRESSIONS)[number];

/** What COD says of all tiles: how wavelet coefficients are cut into pieces. */
export interface CodingStyle {
  readonly progression: Progression;
  /** Whether SOP comes before each packet. */
  readonly hasSop: boolean;
  /** Whether EPH follows the header of each packet. */
  readonly hasEph: boolean;
  /** Whether a code-block has one length in a packet: coding without bypass, and without an end after each pass. */
  readonly hasLoneLengths: boolean;
  /** Times that the image was halved. */
  readonly decompositions: number;
  readonly layers: number;
  /** Code-blocks are 2ˣ wide and 2ʸ high. */
  readonly blockExponents: { readonly x: number; readonly y: number };
  /** Precincts are 2ˣ wide and 2ʸ high, smallest resolution first. */
  readonly precinctExponents: readonly { readonly x: number; readonly y: number }[];
}

/** Checks the content of a COD segment (ISO/IEC 15444-1, A.6.1). */
export function parseCodingStyle(cod: DataView): CodingStyle {
  if (cod.byteLength < 10) throw damaged('COD is too short');
  const flags = cod.getUint8(0);
  const hasPrecincts = (flags & 1) !== 0;
  const progression = PROGRESSIONS[cod.getUint8(1)];
  if (progression === undefined) throw damaged(`COD states packets in the unknown order ${cod.getUint8(1)}`);
  const layers = cod.getUint16(2);
  const decompositions = cod.getUint8(5);
  const x = (cod.getUint8(6) & 0x0f) + 2;
  const y = (cod.getUint8(7) & 0x0f) + 2;
  if (layers === 0 || decompositions > 32) {
    throw damaged(`COD states ${layers} layers and ${decompositions} decompositions`);
  }
  if (x > 10 || y > 10 || x + y > 12) throw damaged(`its code-blocks are 2^${x} × 2^${y}`);
  if ((cod.getUint8(8) & 0xc0) !== 0) {
    throw unsupported(
      'jp2-capabilities',
      'This JPEG 2000 file uses high-throughput coding, which cannot be read.',
    );
  }
  if (cod.byteLength !== 10 + (hasPrecincts ? decompositions + 1 : 0))
    throw damaged('COD has a wrong length');
  const precinctExponents = Array.from({ length: decompositions + 1 }, (_, resolution) => {
    // the largest there are stand for: no precincts
    const packed = hasPrecincts ? cod.getUint8(10 + resolution) : 0xff;
    const exponents = { x: packed & 0x0f, y: packed >> 4 };
    // a precinct of one coefficient cannot be cut into the subbands of a resolution
    if (resolution > 0 && (exponents.x === 0 || exponents.y === 0)) throw damaged('its precincts are empty');
    return exponents;
  });
  return {
    progression,
    hasSop: (flags & 2) !== 0,
    hasEph: (flags & 4) !== 0,
    // Bits 0 and 2: selective bypass, termination on each pass.
    hasLoneLengths: (cod.getUint8(8) & 5) === 0,
    decompositions,
    layers,
    blockExponents: { x, y },
    precinctExponents,
  };
}
