/** Names for the shapes of a Shapefile, from its table (dBase III). */

interface Field {
  readonly name: string;
  readonly type: string;
  readonly start: number;
  readonly length: number;
}

const HEADER_BYTES = 32;
const FIELD_BYTES = 32;
const END_OF_FIELDS = 0x0d;

const readFields = (bytes: Uint8Array, headerBytes: number): readonly Field[] => {
  const fields: Field[] = [];
  const ascii = new TextDecoder('latin1');
  // The first byte of a record says whether it is deleted.
  let start = 1;
  for (
    let at = HEADER_BYTES;
    at + FIELD_BYTES <= headerBytes && bytes[at] !== END_OF_FIELDS;
    at += FIELD_BYTES
  ) {
    const name = ascii.decode(bytes.subarray(at, at + 11)).replace(/\0.*$/s, '');
    const length = bytes[at + 16] ?? 0;
    fields.push({ name, type: String.fromCharCode(bytes[at + 11] ?? 0), start, length });
    start += length;
  }
  return fields;
};

const makeDecoder = (encoding: string | null): InstanceType<typeof TextDecoder> => {
  try {
    return new TextDecoder(encoding?.trim() || 'utf-8');
  } catch {
    // A name that browsers do not know: most letters of names are right in the most common encoding.
    return new TextDecoder('utf-8');
  }
};

/** The texts of the field that looks most like a name, a record each; empty without one. */
export const parseDbfNames = (bytes: Uint8Array, encoding: string | null): readonly string[] => {
  if (bytes.length < HEADER_BYTES) return [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [headerBytes, recordBytes] = [view.getUint16(8, true), view.getUint16(10, true)];
  const texts = readFields(bytes, Math.min(headerBytes, bytes.length)).filter(({ type }) => type === 'C');
  const field = texts.find(({ name }) => /name|title|label/i.test(name)) ?? texts[0];
  if (field === undefined || recordBytes === 0) return [];
  const decoder = makeDecoder(encoding);
  const count = Math.min(view.getUint32(4, true), Math.floor((bytes.length - headerBytes) / recordBytes));
  return Array.from({ length: Math.max(0, count) }, (_, i) => {
    const start = headerBytes + i * recordBytes + field.start;
    return decoder
      .decode(bytes.subarray(start, start + field.length))
      .replaceAll('\0', '')
      .trim();
  });
};
