/** Bodies of requests, read and parsed within limits, so that none holds up the main thread or fills the memory. */
import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { AreaParser, CheckedArea } from '../../areas/index.ts';
import { isSwathError, nameParameter } from '../../errors.ts';
import { toSystemCode, toWriteError } from '../../files/index.ts';
import type { Ticket } from '../../pool/index.ts';
import { badInput, cancelled, tooBusy, tooLarge } from '../errors.ts';
import { limits } from './limits.ts';

/** Counts the bytes of request bodies in memory. */
export interface BodyBudget {
  /** Counts more bytes of a caller's body; throws when the caller, or all together, would hold too many. */
  take(owner: string, bytes: number): void;
  give(owner: string, bytes: number): void;
}

interface BodyBudgetOptions {
  readonly maxBytes: number;
  readonly maxBytesPerOwner: number;
}

/** Builds the budget: one caller's slow bodies fill its own part of the memory and no more. */
export function makeBodyBudget({ maxBytes, maxBytesPerOwner }: BodyBudgetOptions): BodyBudget {
  const held = new Map<string, number>();
  let total = 0;
  const change = (owner: string, bytes: number): void => {
    const own = (held.get(owner) ?? 0) + bytes;
    total += bytes;
    if (own > 0) held.set(owner, own);
    else held.delete(owner);
  };
  return {
    take(owner, bytes) {
      if (total + bytes > maxBytes || (held.get(owner) ?? 0) + bytes > maxBytesPerOwner) {
        throw tooBusy('too-many-bodies', 'Too many request bodies are on their way; ask again in a moment.');
      }
      change(owner, bytes);
    },
    give: (owner, bytes) => change(owner, -bytes),
  };
}

/** How much of a body may come, and who sends it. */
interface BodyLimits {
  readonly maxBytes: number;
  readonly owner: string;
  readonly budget: BodyBudget;
}

/**
 * A body with more chunks than this, smaller than this on average, is an attack: each chunk costs as much as a thousand bytes,
 * and clients send chunks of some kilobytes.
 */
const MANY_CHUNKS = 1_024;
const SMALL_CHUNK_BYTES = 64;

/**
 * Reads the whole body of a request, within its own limit and that of all bodies on their way. From Node's stream and by
 * its events: a promise for each chunk would take ten times as long.
 */
export function readBody(body: Readable, { maxBytes, owner, budget }: BodyLimits): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reading = new Promise<Uint8Array>((resolve, reject) => {
    body.on('data', (chunk: Uint8Array) => {
      try {
        if (size + chunk.length > maxBytes) throw refuseTooLarge(maxBytes);
        if (chunks.length >= MANY_CHUNKS && size < SMALL_CHUNK_BYTES * chunks.length)
          throw refuseSmallChunks();
        budget.take(owner, chunk.length);
        size += chunk.length;
        chunks.push(chunk);
      } catch (error) {
        reject(error);
      }
    });
    // The connection ended, by the client or by one of our limits, before the body did.
    const refuseIncomplete = (cause?: unknown): void =>
      reject(cancelled('body-incomplete', 'The body ended before it was whole.', { cause }));
    const onClose = (): void => refuseIncomplete();
    body.once('end', () => {
      // Every body closes after its end: without this, each would make an error that no one sees.
      body.off('close', onClose);
      resolve(Buffer.concat(chunks, size));
    });
    body.once('error', refuseIncomplete);
    body.once('close', onClose);
  });
  return reading.finally(() => {
    budget.give(owner, size);
    body.removeAllListeners('data');
    body.pause();
  });
}

/** What is known of a body that was saved. */
export interface SavedBody {
  readonly bytes: number;
  /** SHA-256, as hexadecimal digits. */
  readonly digest: string;
}

/** Writes the body of a request to a file as it comes, within a limit. */
export async function saveBody(body: Readable, path: string, maxBytes: number): Promise<SavedBody> {
  const digest = createHash('sha256');
  let [bytes, chunks] = [0, 0];
  async function* count(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      bytes += chunk.length;
      chunks += 1;
      if (bytes > maxBytes) throw refuseTooLarge(maxBytes);
      if (chunks > MANY_CHUNKS && bytes < SMALL_CHUNK_BYTES * chunks) throw refuseSmallChunks();
      digest.update(chunk);
      yield chunk;
    }
  }
  try {
    await pipeline(body, count, createWriteStream(path));
  } catch (error) {
    if (isSwathError(error)) throw error;
    const code = toSystemCode(error);
    // The connection ended before the body did; or the disk is at fault.
    if (code === null || code.startsWith('ERR_') || code === 'ECONNRESET')
      throw cancelled('body-incomplete', 'The body ended before it was whole.', { cause: error });
    throw toWriteError(error);
  }
  return { bytes, digest: digest.digest('hex') };
}

/** Refuses a body by its announced length; that is only a hint, so the bytes are counted as well. */
export function refuseAnnounced(length: string | null, maxBytes: number): void {
  if (Number(length ?? 0) > maxBytes) throw refuseTooLarge(maxBytes);
}

const refuseTooLarge = (maxBytes: number): Error =>
  tooLarge('body-too-large', `The body is larger than ${maxBytes} bytes.`);

/** The same refusal with what to do instead; other errors as they are. */
export function withAdvice(error: unknown, advice: string): unknown {
  if (!isSwathError(error) || error.code !== 'body-too-large') return error;
  return tooLarge('body-too-large', `${error.message} ${advice}`);
}

const refuseSmallChunks = (): Error =>
  badInput(
    'body-chunks-too-small',
    `The body comes in more than ${MANY_CHUNKS} chunks of fewer than ${SMALL_CHUNK_BYTES} bytes on average.`,
  );

/**
 * A long list inside a body that stays text: parsing ten thousand positions would hold the main thread for some
 * milliseconds. Other threads parse it; this one only passes it on.
 */
export class LongJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The geometry of a stored area in place of one in a body: its JSON is in the normal form, and needs no check. */
export class StoredGeometry {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Start and end of a list in a JSON text. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** No client can know it, so that none can write it. */
const MARK = `long-json-${randomUUID()}-`;

/** Parses the JSON of an object; its outermost long lists become `LongJson`. */
function parseAround(text: string, lists: readonly Span[]): unknown {
  const parts: string[] = [];
  let end = 0;
  for (const [i, list] of lists.entries()) {
    parts.push(text.slice(end, list.start), `"${MARK}${i}"`);
    end = list.end;
  }
  const parsed: unknown = JSON.parse(parts.join('') + text.slice(end));
  return restore(parsed, (i) => new LongJson(text.slice(lists[i]?.start, lists[i]?.end)));
}

/** Marks are values of objects, never items of lists: those are inside a longer list, or too short. */
function restore(value: unknown, toLong: (i: number) => LongJson): unknown {
  if (typeof value === 'string' && value.startsWith(MARK)) return toLong(Number(value.slice(MARK.length)));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const object = value as Record<string, unknown>;
  for (const [name, inner] of Object.entries(object)) {
    if (typeof inner === 'string' || typeof inner === 'object') {
      const restored = restore(inner, toLong);
      // A name such as __proto__ must not be assigned.
      if (restored !== inner && Object.hasOwn(object, name)) object[name] = restored;
    }
  }
  return object;
}

/** A value as JSON, with long lists as they were sent. */
export function writeJson(value: unknown): string {
  // Most have none, and a call for each value takes longer than the text itself.
  if (!holdsLongJson(value)) return JSON.stringify(value);
  const lists: string[] = [];
  const text = JSON.stringify(value, (_, inner: unknown) =>
    inner instanceof LongJson ? `${MARK}${lists.push(inner.text) - 1}` : inner,
  );
  // A replacement text would be searched for patterns such as $1.
  return lists.reduce((written, list, i) => written.replace(`"${MARK}${i}"`, () => list), text);
}

/** Lists hold none: those that would are one themselves. */
const holdsLongJson = (value: unknown): boolean =>
  value instanceof LongJson ||
  (typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).some(holdsLongJson));

/**
 * Reads an area from a field of a body, by the rules of stored areas: polygons that overlap would cancel each other out.
 * A refusal begins with the name of the field.
 */
export async function readGeometry(
  name: string,
  geometry: unknown,
  { areaParser, ticket }: { readonly areaParser: AreaParser; readonly ticket: Ticket },
): Promise<CheckedArea> {
  try {
    return await areaParser.check(writeJson(geometry), ticket);
  } catch (error) {
    throw nameParameter(name, error);
  }
}

/** The text of a JSON body, whatever the content type says (clients send text/plain too), within its depth. */
export function toJsonText(bytes: Uint8Array): string {
  const text = decode(bytes);
  findLongLists(text);
  return text;
}

/** Parses a JSON body. Long lists of lists or objects, such as the positions of a polygon, become `LongJson`. */
export function parseJsonBody(bytes: Uint8Array): unknown {
  const text = decode(bytes);
  const lists = findLongLists(text);
  const body = parse(text, lists);
  // No endpoint takes a list, and this one would pass for an object.
  if (body instanceof LongJson) throw badInput('bad-body', 'The body must be a JSON object, not a list.');
  return body;
}

function parse(text: string, lists: readonly Span[]): unknown {
  try {
    return parseAround(text, lists);
  } catch (error) {
    throw badInput('bad-json', 'The body is not valid JSON.', { cause: error });
  }
}

function decode(bytes: Uint8Array): string {
  if (bytes.length === 0) throw badInput('no-body', 'The request needs a JSON body.');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw badInput('bad-json', 'The body is not UTF-8 text.', { cause: error });
  }
}

/**
 * Counts open brackets outside of strings, before any parser recurses over them, and finds the outermost lists that are
 * long and not flat. Where brackets do not match, the parser that gets the text refuses it.
 */
function findLongLists(text: string): readonly Span[] {
  const lists: Span[] = [];
  let depth = 0;
  let inString = false;
  /** The outermost list that is open: where, how deep, and whether it has lists or objects in it. */
  let [start, listDepth, isNested] = [-1, 0, false];
  for (let i = 0; i < text.length; i += 1) {
    const char = text.charCodeAt(i);
    if (inString) {
      if (char === 0x5c)
        i += 1; // a backslash hides the next character
      else if (char === 0x22) inString = false;
    } else if (char === 0x22) inString = true;
    else if (char === 0x7b || char === 0x5b) {
      if (start >= 0) isNested = true;
      else if (char === 0x5b) [start, listDepth, isNested] = [i, depth, false];
      depth += 1;
      if (depth > limits.jsonDepth) {
        throw badInput('json-too-deep', `The body nests deeper than ${limits.jsonDepth} levels.`);
      }
    } else if (char === 0x7d || char === 0x5d) {
      depth -= 1;
      if (start < 0 || depth > listDepth) continue;
      if (isNested && i - start >= limits.longListChars) lists.push({ start, end: i + 1 });
      start = -1;
    }
  }
  return lists;
}
