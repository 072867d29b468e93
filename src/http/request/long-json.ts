import { randomUUID } from 'node:crypto';

/**
 * A long list inside a body that stays text: parsing ten thousand positions would hold the main thread for some
 * milliseconds. Other threads parse it; on this one it only stands for itself.
 */
export class LongJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Where a list begins and ends in a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** No client can know it, so that none can write it. */
const MARK = `long-json-${randomUUID()}-`;

/** Parses the JSON of an object whose long lists, outermost ones, become `LongJson`. */
export function parseAround(text: string, lists: readonly Span[]): unknown {
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
  const lists: string[] = [];
  const text = JSON.stringify(value, (_, inner: unknown) =>
    inner instanceof LongJson ? `${MARK}${lists.push(inner.text) - 1}` : inner,
  );
  // A replacement text would be searched for patterns such as $1.
  return lists.reduce((written, list, i) => written.replace(`"${MARK}${i}"`, () => list), text);
}
