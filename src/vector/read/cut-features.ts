/** A part of a GeoJSON document, as text; null if it is longer than the limit. */
export interface JsonPart {
  /** The member of the document that it is, or null for an element of the list of features. */
  readonly member: string | null;
  readonly text: Buffer | null;
}

/** Members of a document that are read; the others are skipped, however long. */
const MEMBERS: ReadonlySet<string> = new Set([
  ...['type', 'crs', 'id', 'geometry', 'properties', 'coordinates', 'geometries'],
]);
/** Characters of the name of a member; longer ones are not those that we read. */
const MAX_NAME = 64;

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** What a byte can end: 0 for most, so that the scan leaves them after one look. */
const KINDS = new Uint8Array(256);
KINDS[QUOTE] = 1;
KINDS[COMMA] = 2;
KINDS[OPEN_LIST] = 3;
KINDS[OPEN_OBJECT] = 3;
KINDS[CLOSE_LIST] = 4;
KINDS[CLOSE_OBJECT] = 4;

const isSpace = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);

/**
 * Cuts a GeoJSON document into its members and features while its bytes arrive, without parsing them: brackets are
 * counted outside of strings. Memory is bounded by `maxBytes` for the longest part.
 */
export class FeatureCutter {
  readonly #maxBytes: number;
  /** start → name ↔ value (or element) → end; `colon` is between a name and its value. */
  #state: 'start' | 'name' | 'colon' | 'before-value' | 'value' | 'before-element' | 'end' = 'start';
  /** Whether the value that is read is a name, the value of a member, or an element of the list. */
  #role: 'name' | 'member' | 'element' = 'name';
  #name = '';
  /** Of the value that is read: brackets that are open, and where in a string it is. */
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #kept: Buffer[] = [];
  #keptBytes = 0;
  #isTooLong = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** True after the document is complete. */
  get isComplete(): boolean {
    return this.#state === 'end';
  }

  /** The parts that end in this chunk; null if the text is not one JSON object. */
  *push(chunk: Buffer): Generator<JsonPart | null> {
    let at = 0;
    while (at < chunk.length) {
      const state = this.#state;
      if (state === 'value') {
        const end = this.#findEnd(chunk, at);
        this.#keep(chunk.subarray(at, end < 0 ? chunk.length : end));
        if (end < 0) return;
        yield* this.#takeValue();
        at = end;
        continue;
      }
      const byte = chunk[at] as number;
      if (isSpace(byte)) {
        at++;
        continue;
      }
      if (!this.#step(byte)) {
        yield null;
        return;
      }
      // A value begins with the byte that has led to it.
      if (this.#state !== 'value') at++;
    }
  }

  /** Goes on by one byte outside of values; false if it cannot stand there. */
  #step(byte: number): boolean {
    switch (this.#state) {
      case 'start':
        // byte order mark
        if (byte === 0xef || byte === 0xbb || byte === 0xbf) return true;
        this.#state = 'name';
        return byte === OPEN_OBJECT;
      case 'name':
        if (byte === COMMA) return true;
        if (byte === CLOSE_OBJECT) this.#state = 'end';
        else if (byte === QUOTE) this.#begin('name');
        return byte === CLOSE_OBJECT || byte === QUOTE;
      case 'colon':
        this.#state = 'before-value';
        return byte === COLON;
      case 'before-value':
        if (byte === OPEN_LIST && this.#name === 'features') this.#state = 'before-element';
        else this.#begin('member');
        return true;
      case 'end':
        return false;
      default:
        if (byte === COMMA) return true;
        if (byte === CLOSE_LIST) this.#state = 'name';
        else this.#begin('element');
        return byte !== CLOSE_OBJECT;
    }
  }

  #begin(role: 'name' | 'member' | 'element'): void {
    this.#state = 'value';
    this.#role = role;
    this.#depth = 0;
    this.#isInString = false;
    this.#isEscaped = false;
    this.#kept = [];
    this.#keptBytes = 0;
    this.#isTooLong = false;
  }

  #keep(bytes: Buffer): void {
    this.#keptBytes += bytes.length;
    const isWanted = this.#role !== 'member' || MEMBERS.has(this.#name);
    const max = this.#role === 'name' ? MAX_NAME : this.#maxBytes;
    if (!isWanted || this.#keptBytes > max) {
      this.#kept = [];
      this.#isTooLong = true;
    } else if (!this.#isTooLong) this.#kept.push(bytes);
  }

  *#takeValue(): Generator<JsonPart | null> {
    const [only] = this.#kept;
    const text = this.#isTooLong ? null : this.#kept.length === 1 ? only! : Buffer.concat(this.#kept);
    this.#kept = [];
    if (this.#role === 'element') {
      this.#state = 'before-element';
      yield { member: null, text };
    } else if (this.#role === 'name') {
      this.#state = 'colon';
      // A name that we cannot read is not one of those that matter.
      this.#name = parseName(text) ?? '?';
    } else {
      this.#state = 'name';
      if (MEMBERS.has(this.#name)) yield { member: this.#name, text };
    }
  }

  /** Where the value ends: after its last bracket or quote, or before the comma or bracket that follows; -1 if later. */
  #findEnd(chunk: Buffer, start: number): number {
    const isName = this.#role === 'name';
    for (let at = start; at < chunk.length; at++) {
      if (this.#isInString) {
        const next = this.#skipString(chunk, at);
        if (next < 0) return -1;
        at = next;
        if (isName) return at + 1;
        continue;
      }
      const kind = KINDS[chunk[at] as number] as number;
      if (kind === 0) continue;
      if (kind === 1) this.#isInString = true;
      else if (kind === 2) {
        if (this.#depth === 0) return at;
      } else if (kind === 3) this.#depth++;
      else {
        // The bracket of the list or object around the value.
        if (this.#depth === 0) return at;
        this.#depth--;
        if (this.#depth === 0) return at + 1;
      }
    }
    return -1;
  }

  /** The quote that ends the string; -1 if it is in a later chunk. */
  #skipString(chunk: Buffer, start: number): number {
    for (let at = start; at < chunk.length; at++) {
      const byte = chunk[at];
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === BACKSLASH) this.#isEscaped = true;
      else if (byte === QUOTE) {
        this.#isInString = false;
        return at;
      }
    }
    return -1;
  }
}

function parseName(text: Buffer | null): string | null {
  if (text === null) return null;
  try {
    return JSON.parse(text.toString()) as string;
  } catch {
    return null;
  }
}
