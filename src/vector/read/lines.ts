const NEWLINE = 0x0a;

/** The lines of a file without their ends; null for a line of more than `maxBytes`. */
export async function* readLines(
  chunks: AsyncIterable<Buffer>,
  maxBytes: number,
): AsyncGenerator<Buffer | null> {
  let kept: Buffer[] = [];
  let length = 0;
  const take = (): Buffer | null => {
    const line = length > maxBytes ? null : kept.length === 1 ? kept[0]! : Buffer.concat(kept);
    kept = [];
    length = 0;
    return line?.at(-1) === 0x0d ? line.subarray(0, -1) : line;
  };
  const keep = (bytes: Buffer): void => {
    length += bytes.length;
    if (length > maxBytes) kept = [];
    else kept.push(bytes);
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      keep(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    if (start < chunk.length) keep(chunk.subarray(start));
  }
  if (length > 0) yield take();
}
