/** Markers of a codestream (ISO/IEC 15444-1, table A.2) that we know by name. */
export const MARKER = {
  soc: 0xff4f,
  siz: 0xff51,
  cod: 0xff52,
  coc: 0xff53,
  tlm: 0xff55,
  plm: 0xff57,
  plt: 0xff58,
  qcd: 0xff5c,
  qcc: 0xff5d,
  rgn: 0xff5e,
  poc: 0xff5f,
  ppm: 0xff60,
  ppt: 0xff61,
  crg: 0xff63,
  com: 0xff64,
  sot: 0xff90,
  sop: 0xff91,
  eph: 0xff92,
  sod: 0xff93,
  eoc: 0xffd9,
} as const;

/** Bytes of an SOP segment, which may come before a packet. */
export const SOP_BYTES = 6;

/** How a message calls a marker: `COD`, or its number when we do not know it. */
export function markerName(marker: number): string {
  const known = Object.entries(MARKER).find(([, value]) => value === marker);
  return known === undefined
    ? `marker ${marker.toString(16).padStart(4, '0').toUpperCase()}`
    : known[0].toUpperCase();
}
