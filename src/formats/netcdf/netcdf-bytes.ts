/** Collects the parts of a NetCDF header: big-endian, texts padded to four bytes. */
export function makeBytes() {
  const parts: Uint8Array[] = [];
  const number = (size: number, put: (view: DataView) => void) => {
    const part = new Uint8Array(size);
    put(new DataView(part.buffer));
    parts.push(part);
    return bytes;
  };
  const bytes = {
    int32: (value: number) => number(4, (view) => view.setInt32(0, value)),
    float32: (value: number) => number(4, (view) => view.setFloat32(0, value)),
    float64: (value: number) => number(8, (view) => view.setFloat64(0, value)),
    ascii(text: string) {
      parts.push(Buffer.from(text, 'latin1'));
      return bytes;
    },
    /** A text with its length before it. */
    text(value: string) {
      const encoded = Buffer.from(value, 'utf8');
      bytes.int32(encoded.length);
      parts.push(encoded, new Uint8Array((4 - (encoded.length % 4)) % 4));
      return bytes;
    },
    name: (value: string) => bytes.text(value),
    toBytes: (): Uint8Array => Buffer.concat(parts),
  };
  return bytes;
}
