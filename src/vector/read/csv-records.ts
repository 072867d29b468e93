const [QUOTE, NEWLINE, RETURN] = [0x22, 0x0a, 0x0d];

/** Delimiters that spreadsheets write, the most usual first. */
const DELIMITERS = [',', ';', '\t', '|'] as const;

/** The delimiter that the first line of a table has most often, outside of quotes. */
export function findDelimiter(head: string): string {
  const line = head.replaceAll(/"[^"]*"/g, '').split(/\r?\n/, 1)[0] ?? '';
  const counts = DELIMITERS.map((delimiter) => line.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** A record of a table (RFC 4180): its bytes, or why it cannot be read. */
export type CsvRecord = Buffer | 'too-long' | 'unclosed';

/**
 * Cuts a table into records. A line end inside of quotes is part of a value. A record beyond `maxBytes` is skipped, so
 * memory is bounded by it.
 */
export async function* readRecords(
  chunks: AsyncIterable<Buffer>,
  delimiter: string,
  maxBytes: number,
): AsyncGenerator<CsvRecord> {
  const comma = delimiter.charCodeAt(0);
  let kept: Buffer[] = [];
  let length = 0;
  let isFieldStart = true;
  let isQuoted = false;
  let isAfterQuote = false;
  const keep = (bytes: Buffer): void => {
    length += bytes.length;
    if (length > maxBytes) kept = [];
    else kept.push(bytes);
  };
  const take = (): CsvRecord => {
    const record = length > maxBytes ? 'too-long' : kept.length === 1 ? kept[0]! : Buffer.concat(kept);
    kept = [];
    length = 0;
    return record;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at];
      if (isQuoted) {
        // A doubled quote closes and opens again.
        if (byte !== QUOTE) continue;
        isQuoted = false;
        isAfterQuote = true;
        continue;
      }
      if (byte === QUOTE) {
        // Inside of a value that does not begin with one, a quote is a character.
        if (isFieldStart || isAfterQuote) isQuoted = true;
        isFieldStart = false;
        isAfterQuote = false;
        continue;
      }
      isAfterQuote = false;
      isFieldStart = byte === comma || byte === NEWLINE;
      if (byte !== NEWLINE) continue;
      keep(chunk.subarray(start, at));
      yield take();
      start = at + 1;
    }
    if (start < chunk.length) keep(chunk.subarray(start));
  }
  if (length > 0) yield isQuoted ? 'unclosed' : take();
}

/** The values of a record; `""` in quotes is a quote. */
export function splitRecord(record: string, delimiter: string): string[] {
  const values: string[] = [];
  let at = 0;
  for (;;) {
    let value = '';
    if (record.charCodeAt(at) === QUOTE) {
      let end = record.indexOf('"', at + 1);
      while (end >= 0 && record[end + 1] === '"') end = record.indexOf('"', end + 2);
      if (end < 0) end = record.length;
      value = record.slice(at + 1, end).replaceAll('""', '"');
      at = end + 1;
    }
    const next = record.indexOf(delimiter, at);
    value += record.slice(at, next < 0 ? record.length : next);
    values.push(value);
    if (next < 0) return values;
    at = next + 1;
  }
}

/** A record without the carriage return of its line end. */
export const trimReturn = (record: Buffer): Buffer =>
  record.at(-1) === RETURN ? record.subarray(0, -1) : record;
