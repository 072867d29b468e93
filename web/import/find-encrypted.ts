/** Archives with a password, which their directory tells before anything is unpacked (PKWARE APPNOTE 6.3, 4.3.12 and 4.3.16). */

const END_CODE = 0x06054b50;
const END_BYTES = 22;
/** An archive may end in a comment of this length. */
const MAX_COMMENT_BYTES = 65_535;
const ENTRY_CODE = 0x02014b50;
const ENTRY_BYTES = 46;
const ENCRYPTED = 1;

const findEnd = (view: DataView): number | null => {
  const last = view.byteLength - END_BYTES;
  for (let at = last; at >= Math.max(0, last - MAX_COMMENT_BYTES); at--)
    if (view.getUint32(at, true) === END_CODE) return at;
  return null;
};

/** True if a file in the archive needs a password; false too for archives that are damaged, which others find out. */
export const hasEncryptedFile = (bytes: Uint8Array, isWanted: (name: string) => boolean): boolean => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = findEnd(view);
  if (end === null) return false;
  const decoder = new TextDecoder();
  // An archive in the 64-bit form says elsewhere where its directory is; no writer of passwords needs it for 20 MB.
  for (let at = view.getUint32(end + 16, true); at + ENTRY_BYTES <= bytes.length; ) {
    if (view.getUint32(at, true) !== ENTRY_CODE) return false;
    const nameBytes = view.getUint16(at + 28, true);
    const name = decoder.decode(bytes.subarray(at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes));
    if ((view.getUint16(at + 8, true) & ENCRYPTED) !== 0 && isWanted(name)) return true;
    at += ENTRY_BYTES + nameBytes + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return false;
};
