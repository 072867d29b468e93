/** A view of the bytes of a section. */
export const toView = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);

/** Three bytes as a whole number. */
export const getUint24 = (view: DataView, at: number): number =>
  view.getUint16(at) * 256 + view.getUint8(at + 2);

/** Signed numbers of GRIB have a bit for the sign in front; they are no two's complements. */
export const getSigned8 = (view: DataView, at: number): number => toSigned(view.getUint8(at), 2 ** 7);
/** The same in two bytes. */
export const getSigned16 = (view: DataView, at: number): number => toSigned(view.getUint16(at), 2 ** 15);
/** The same in three bytes. */
export const getSigned24 = (view: DataView, at: number): number => toSigned(getUint24(view, at), 2 ** 23);
/** The same in four bytes. */
export const getSigned32 = (view: DataView, at: number): number => toSigned(view.getUint32(at), 2 ** 31);

const toSigned = (bits: number, sign: number): number => (bits >= sign ? sign - bits : bits);

/** A float of the IBM System/360: sign, exponent of 16 with an excess of 64, fraction of 24 bits (WMO FM 92 GRIB 1, 92.6.4). */
export function getIbmFloat(view: DataView, at: number): number {
  const exponent = view.getUint8(at) & 0x7f;
  const value = getUint24(view, at + 1) * 16 ** (exponent - 64) * 2 ** -24;
  return view.getUint8(at) >= 0x80 ? -value : value;
}
