import type { SwathError } from '../errors.ts';
import { unsupported } from '../errors.ts';

/** A range of the text: the first character and the one after the last, both counted from 0. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Why an expression is refused. */
export interface Refusal {
  /** The whole text that is refused. */
  readonly text: string;
  readonly at: Span;
  /** A sentence. */
  readonly reason: string;
  readonly expected?: string;
  readonly suggestion?: string | null;
}

/** Characters of the text that an excerpt shows on either side of the error. */
const CONTEXT_CHARS = 30;

/** Text as one line that any terminal can show: look-alikes, control and direction characters become `?`. */
export const toPlain = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, '?');

/** The text around the error, with carets under it. */
function drawCarets(text: string, { start, end }: Span): string {
  const from = Math.max(0, start - CONTEXT_CHARS);
  const to = Math.min(text.length, Math.max(end, start + 1) + CONTEXT_CHARS, start + 3 * CONTEXT_CHARS);
  const before = from > 0 ? '...' : '';
  const after = to < text.length ? '...' : '';
  const carets = '^'.repeat(Math.max(1, Math.min(end, to) - start));
  const line = `${before}${toPlain(text.slice(from, to))}${after}`;
  return `${line}\n${' '.repeat(before.length + start - from)}${carets}`;
}

/**
 * The error for an expression: a sentence that says where it is and what was expected, and an excerpt with a marker.
 * Positions are counted from 1 in the sentence, for people, and from 0 in `details`, for programs.
 */
export function refuseExpression(code: string, refusal: Refusal): SwathError {
  const { text, at, reason, expected, suggestion } = refusal;
  const sentences = [
    `Unsupported band or operation at character ${at.start + 1}: ${reason}`,
    ...(expected === undefined ? [] : [`Expected ${expected}.`]),
    ...(suggestion === undefined || suggestion === null ? [] : [`Did you mean ${suggestion}?`]),
  ];
  const picture = drawCarets(text, at);
  return unsupported(code, `${sentences.join(' ')}\n${picture}`, {
    details: {
      position: at.start,
      ...(expected === undefined ? {} : { expected }),
      ...(suggestion === undefined || suggestion === null ? {} : { suggestion }),
      picture,
    },
  });
}
