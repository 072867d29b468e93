import { SwathError } from '../errors.ts';

/** A range of the text: the first character and the one after the last, both counted from 0. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Why an expression is refused. */
interface Refusal {
  /** The whole text that is refused. */
  readonly text: string;
  readonly at: Span;
  /** A sentence. */
  readonly reason: string;
  readonly expected?: string | undefined;
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
  return new SwathError('unsupported', code, `${sentences.join(' ')}\n${picture}`, {
    details: {
      position: at.start,
      ...(expected === undefined ? {} : { expected }),
      ...(suggestion === undefined || suggestion === null ? {} : { suggestion }),
      picture,
    },
  });
}

/** A sign of the language; `**` is read as `^`. */
export type Sign = '+' | '-' | '*' | '/' | '^' | '(' | ')' | ',';

/** The smallest meaningful part of a text. */
export type Token = Span &
  (
    | { readonly kind: 'whole' | 'decimal' | 'name'; readonly text: string }
    | { readonly kind: 'sign'; readonly text: Sign }
    | { readonly kind: 'end'; readonly text: '' }
  );

const SIGNS: ReadonlySet<string> = new Set<Sign>(['+', '-', '*', '/', '^', '(', ')', ',']);

const isDigit = (char: string): boolean => char >= '0' && char <= '9' && char.length === 1;
const isNameStart = (char: string): boolean =>
  (char >= 'a' && char <= 'z') || (char >= 'A' && char <= 'Z') || char === '_';
const isNamePart = (char: string): boolean => isNameStart(char) || isDigit(char);
const isSpace = (char: string): boolean => char === ' ' || char === '\t' || char === '\r' || char === '\n';

/** The end of a run of characters that pass a test. */
function skip(text: string, from: number, passes: (char: string) => boolean): number {
  let end = from;
  while (end < text.length && passes(text[end]!)) end++;
  return end;
}

/** Reads `12`, `1.5`, `1.`, `.5`, `2e-3`: only decimal digits. Null when no number starts here. */
function readNumber(text: string, start: number): Token | null {
  const wholeEnd = skip(text, start, isDigit);
  let end = wholeEnd;
  if (text[end] === '.') end = skip(text, end + 1, isDigit);
  const hasDigits = wholeEnd > start || end > wholeEnd + 1;
  if (!hasDigits) return null;
  if (text[end] === 'e' || text[end] === 'E') {
    const digitsFrom = text[end + 1] === '+' || text[end + 1] === '-' ? end + 2 : end + 1;
    const exponentEnd = skip(text, digitsFrom, isDigit);
    if (exponentEnd === digitsFrom) return null;
    end = exponentEnd;
  }
  const follower = text[end] ?? '';
  if (follower === '.' || isNamePart(follower)) return null;
  return { kind: end === wholeEnd ? 'whole' : 'decimal', text: text.slice(start, end), start, end };
}

/** The tokens of a text, in one pass over its characters; the last token is the end. */
export function readTokens(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let start = 0;
  while (start < text.length) {
    const char = text[start]!;
    if (isSpace(char)) {
      start++;
      continue;
    }
    const token = readToken(text, start, char);
    tokens.push(token);
    start = token.end;
  }
  tokens.push({ kind: 'end', text: '', start: text.length, end: text.length });
  return tokens;
}

function readToken(text: string, start: number, char: string): Token {
  if (isNameStart(char)) {
    const end = skip(text, start, isNamePart);
    return { kind: 'name', text: text.slice(start, end), start, end };
  }
  if (isDigit(char) || char === '.') {
    const number = readNumber(text, start);
    if (number !== null) return number;
    const end = skip(text, start, (part) => part === '.' || isNamePart(part));
    throw refuseExpression('bad-expression', {
      text,
      at: { start, end },
      reason: `"${text.slice(start, Math.min(end, start + 40))}" is not a number.`,
      expected: 'a number such as 2, 0.5 or 1e-3',
    });
  }
  if (char === '*' && text[start + 1] === '*') return { kind: 'sign', text: '^', start, end: start + 2 };
  if (SIGNS.has(char)) return { kind: 'sign', text: char as Sign, start, end: start + 1 };
  throw refuseExpression('bad-expression', {
    text,
    at: { start, end: start + 1 },
    reason: `the character "${toPlain(char)}" (U+${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}) has no meaning here.`,
    expected: 'numbers, names, + - * / ^ ** ( ) and commas',
  });
}

/**
 * The texts of expressions separated by commas, trimmed; commas within parentheses do not separate. They need not be
 * valid.
 */
export function splitExpressions(text: string): readonly string[] {
  const texts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i <= text.length; i++) {
    if (text[i] === '(') depth += 1;
    else if (text[i] === ')') depth -= 1;
    else if (i === text.length || (text[i] === ',' && depth === 0)) {
      texts.push(text.slice(start, i).trim());
      start = i + 1;
    }
  }
  return texts;
}

/** The limits of one request. All of them are checked while parsing, before anything is computed. */
export interface ExpressionLimits {
  readonly maxChars: number;
  /** Numbers, names and operations together, with aliases expanded. */
  readonly maxNodes: number;
  /** Nesting of parentheses, calls, signs and powers. */
  readonly maxDepth: number;
  /** Distinct bands; a band needed both calibrated and not counts once. */
  readonly maxBands: number;
  readonly maxExpressions: number;
  /** Work per pixel, in additions. */
  readonly maxCostPerPixel: number;
}

/** Limits of a picture (docs/operate/limits.md); a task may have more expressions. */
export const tileLimits: ExpressionLimits = {
  maxChars: 2_048,
  maxNodes: 256,
  maxDepth: 32,
  maxBands: 12,
  maxExpressions: 3,
  // About a hundred sines: a window of 256 × 256 then takes a tenth of a second in the slowest interpreter.
  maxCostPerPixel: 2_048,
};

/** The limits of a file: those of a picture, for as many expressions as a file may have bands. */
export const fileLimits: ExpressionLimits = {
  ...tileLimits,
  maxExpressions: 10,
  maxNodes: tileLimits.maxNodes * 4,
  maxBands: 24,
  maxCostPerPixel: tileLimits.maxCostPerPixel * 2,
};

/** Makes the error for a limit, at the position that exceeded it. */
type Refuse = (reason: string) => SwathError;

/** Counts over all expressions of a request and their aliases, while they are parsed. */
export interface ParseBudget {
  /** Tokens consumed and nodes created so far. */
  readonly steps: number;
  readonly nodes: number;
  countStep(): void;
  countNodes(count: number, refuse: Refuse): void;
  countBand(name: string, refuse: Refuse): void;
  /** Parses one level deeper; this also bounds the parser's own stack. */
  descend<Result>(read: () => Result, refuse: Refuse): Result;
}

/** A budget with nothing spent. */
export function makeParseBudget(limits: ExpressionLimits): ParseBudget {
  const bands = new Set<string>();
  let nodes = 0;
  let depth = 0;
  let steps = 0;
  return {
    get steps() {
      return steps;
    },
    get nodes() {
      return nodes;
    },
    countStep() {
      steps++;
    },
    countNodes(count, refuse) {
      nodes += count;
      steps += count;
      if (nodes > limits.maxNodes) {
        throw refuse(`there are more than ${limits.maxNodes} names, numbers and operations.`);
      }
    },
    countBand(name, refuse) {
      bands.add(name);
      if (bands.size > limits.maxBands) throw refuse(`it names more than ${limits.maxBands} bands.`);
    },
    descend(read, refuse) {
      depth++;
      if (depth > limits.maxDepth) throw refuse(`it is nested deeper than ${limits.maxDepth}.`);
      const result = read();
      depth--;
      return result;
    },
  };
}
