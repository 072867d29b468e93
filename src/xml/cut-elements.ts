/** Cuts elements out of a document, whole or while it arrives, so that they can be parsed one by one. */

import { localName } from './elements.ts';
import { tagsOf } from './parse-xml.ts';

/** What is cut, and how much of the document may be in memory. */
interface CutRules {
  /** The name of the elements, without their prefix. */
  readonly name: string;
  /** Names of other elements of which the first one is noted. */
  readonly noted?: readonly string[];
  /** Characters of one element; a longer one is cut out and given as null. */
  readonly maxPart?: number;
}

/** A document without the elements that were cut out. */
export interface CutRest {
  /** Empty elements replace those that were cut out where text would touch otherwise. */
  readonly rest: string;
  /** The index of the element with the first one of another name in it; null if there is none. */
  readonly firstIn: (name: string) => number | null;
}

/** Cuts while the text of a document arrives. */
export interface ElementCutter {
  /** The elements that end in the next piece of text, whole, in their order. */
  push(text: string): Generator<string | null>;
  /** Characters that are in memory for the rest of the document, or for what has not ended. */
  readonly heldLength: number;
  /** The rest; null if an element does not end: then the document is not well-formed. */
  end(): CutRest | null;
}

/**
 * Cuts all elements of a name out of a document, without those nested in one of them and without the root. The pieces are
 * well-formed if and only if the document is.
 */
export function makeElementCutter({ name, noted = [], maxPart = Infinity }: CutRules): ElementCutter {
  const rest: string[] = [];
  const indexes = new Map<string, number | null>();
  let [restLength, count] = [0, 0];
  /** The last character of the rest that is not white space. */
  let lastOfRest = '';
  /** What has not been scanned to its end. */
  let pending = '';
  let depth = 0;
  /** The pieces of the element that is being cut out, and how many are open around it; null outside of one. */
  let part: { readonly pieces: string[]; readonly above: number; length: number } | null = null;

  function keep(text: string): void {
    if (text === '') return;
    if (part === null) {
      rest.push(text);
      restLength += text.length;
      lastOfRest = text.trimEnd().at(-1) ?? lastOfRest;
      return;
    }
    part.length += text.length;
    if (part.length > maxPart) part.pieces.length = 0;
    else part.pieces.push(text);
  }

  return {
    get heldLength() {
      return restLength + pending.length;
    },

    *push(next) {
      const text = pending === '' ? next : pending + next;
      const state = { at: 0, depth };
      let done = 0;
      for (const tag of tagsOf(text, state)) {
        const isEmpty = text[tag.end - 2] === '/';
        if (text[tag.start + 1] !== '/') {
          const found = localName({ name: nameOf(text, tag.start) });
          // The root is never cut out.
          const above = isEmpty ? tag.depth : tag.depth - 1;
          if (above > 0 && noted.includes(found) && !indexes.has(found))
            indexes.set(found, part === null ? null : count);
          if (part === null && above > 0 && found === name) {
            keep(text.slice(done, tag.start));
            done = tag.start;
            part = { pieces: [], above, length: 0 };
          }
        }
        if (part === null || tag.depth > part.above) continue;
        keep(text.slice(done, tag.end));
        done = tag.end;
        const whole: string | null = part.length > maxPart ? null : part.pieces.join('');
        part = null;
        count += 1;
        // Two brackets before the element and a third sign behind it would end a section that was never begun.
        if (lastOfRest !== '>') keep('<cut/>');
        yield whole;
      }
      keep(text.slice(done, state.at));
      pending = text.slice(state.at);
      depth = state.depth;
    },

    end() {
      if (part !== null) return null;
      keep(pending);
      pending = '';
      return { rest: rest.join(''), firstIn: (other) => indexes.get(other) ?? null };
    },
  };
}

/** The name of a tag, up to white space or its end. */
function nameOf(text: string, start: number): string {
  let end = start + 1;
  while (end < text.length && !/[\s/>]/.test(text[end] as string)) end++;
  return text.slice(start + 1, end);
}

/** A document in pieces that can be parsed one by one. */
export interface CutDocument extends CutRest {
  /** The elements of the name, whole, in the order of the document. */
  readonly parts: readonly string[];
}

/** Cuts all elements of a name out of a document that is in memory; null if an element does not end. */
export function cutElements(text: string, name: string, noted: readonly string[] = []): CutDocument | null {
  const cutter = makeElementCutter({ name, noted });
  const parts = [...cutter.push(text)] as string[];
  const cut = cutter.end();
  return cut === null ? null : { ...cut, parts };
}
