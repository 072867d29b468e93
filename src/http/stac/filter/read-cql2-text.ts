/** CQL2 text: a bounded recursive-descent parser over tokens. User text never becomes an expression of ours. */
import { parseDay, parseInstant } from '../item-times.ts';
import type { Comparison, FilterBudget, Operand, ReadCondition, Span } from './filter-tree.ts';
import {
  makeFilterBudget,
  makeLike,
  refuseFilter,
  TEMPORAL_OPERATORS,
  toTextOperand,
} from './filter-tree.ts';

type Token =
  | { readonly kind: 'word' | 'name' | 'text'; readonly text: string; readonly at: number }
  | { readonly kind: 'number'; readonly text: string; readonly at: number }
  | { readonly kind: 'sign'; readonly text: string; readonly at: number }
  | { readonly kind: 'end'; readonly text: ''; readonly at: number };

/** Each piece is tried where the last one ended; none can match in two ways, so the time is linear. */
const PIECE =
  /\s*(?:(?<number>[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?)|(?<word>[A-Za-z_][\w.:-]*)|"(?<name>[^"]{1,200})"|'(?<text>(?:[^']|'')*)'|(?<sign><=|>=|<>|[=<>(),]))/y;

function toTokens(text: string): readonly Token[] {
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  PIECE.lastIndex = 0;
  while (PIECE.lastIndex < end) {
    const from = PIECE.lastIndex;
    const found = PIECE.exec(text);
    if (found === null) throw refuseFilter(`cannot be read at character ${from + 1}.`, from);
    const at = PIECE.lastIndex;
    const { number, word, name, text: quoted, sign } = found.groups ?? {};
    if (number !== undefined) tokens.push({ kind: 'number', text: number, at });
    else if (word !== undefined) tokens.push({ kind: 'word', text: word, at });
    else if (name !== undefined) tokens.push({ kind: 'name', text: name, at });
    else if (quoted !== undefined) tokens.push({ kind: 'text', text: quoted.replaceAll("''", "'"), at });
    else tokens.push({ kind: 'sign', text: sign as string, at });
  }
  tokens.push({ kind: 'end', text: '', at: end });
  return tokens;
}

/** The most characters of a filter; queries of addresses are shorter. */
const MAX_CHARS = 65_536;

/** Reads a filter in CQL2 text. */
export function readCql2Text(text: string): ReadCondition {
  if (text.length > MAX_CHARS) throw refuseFilter(`is longer than ${MAX_CHARS} characters.`);
  const parser = new TextParser(toTokens(text));
  return parser.readWhole();
}

const COMPARISONS: ReadonlySet<string> = new Set(['=', '<>', '<', '<=', '>', '>=']);
const TEMPORAL: ReadonlySet<string> = new Set(TEMPORAL_OPERATORS);

/** Words that are not names of properties. */
const RESERVED: ReadonlySet<string> = new Set(['and', 'or', 'not', 'like', 'between', 'in', 'is', 'null']);

class TextParser {
  readonly #tokens: readonly Token[];
  readonly #budget: FilterBudget = makeFilterBudget();
  #next = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  readWhole(): ReadCondition {
    const condition = this.#readOr(0);
    if (this.#peek().kind !== 'end') throw this.#refuse('ends too early');
    return condition;
  }

  #peek(ahead = 0): Token {
    return this.#tokens[Math.min(this.#next + ahead, this.#tokens.length - 1)] as Token;
  }

  #take(): Token {
    const token = this.#peek();
    this.#next += 1;
    return token;
  }

  #refuse(problem: string): Error {
    const { at, text } = this.#peek();
    const before = text === '' ? 'at its end' : `before "${text.slice(0, 40)}"`;
    return refuseFilter(`${problem} ${before}.`, at);
  }

  #isWord(word: string, ahead = 0): boolean {
    const token = this.#peek(ahead);
    return token.kind === 'word' && token.text.toLowerCase() === word;
  }

  #takeWord(word: string): boolean {
    if (!this.#isWord(word)) return false;
    this.#next += 1;
    return true;
  }

  #isSign(sign: string, ahead = 0): boolean {
    const token = this.#peek(ahead);
    return token.kind === 'sign' && token.text === sign;
  }

  #expectSign(sign: string): void {
    if (!this.#isSign(sign)) throw this.#refuse(`needs ${sign}`);
    this.#next += 1;
  }

  #readOr(depth: number): ReadCondition {
    this.#budget.node(depth);
    const parts = [this.#readAnd(depth)];
    while (this.#takeWord('or')) parts.push(this.#readAnd(depth));
    return parts.length === 1 ? (parts[0] as ReadCondition) : { kind: 'or', parts };
  }

  #readAnd(depth: number): ReadCondition {
    const parts = [this.#readNot(depth)];
    while (this.#takeWord('and')) parts.push(this.#readNot(depth));
    return parts.length === 1 ? (parts[0] as ReadCondition) : { kind: 'and', parts };
  }

  #readNot(depth: number): ReadCondition {
    if (this.#takeWord('not')) {
      this.#budget.node(depth + 1);
      return { kind: 'not', part: this.#readNot(depth + 1) };
    }
    if (this.#isSign('(')) {
      this.#next += 1;
      const inner = this.#readOr(depth + 1);
      this.#expectSign(')');
      return inner;
    }
    return this.#readPredicate(depth + 1);
  }

  #readPredicate(depth: number): ReadCondition {
    this.#budget.node(depth);
    const first = this.#peek();
    const word = first.kind === 'word' ? first.text.toLowerCase() : '';
    if (this.#isSign('(', 1)) {
      if (word === 's_intersects' || word === 's_disjoint') return this.#readSpatial(word);
      if (TEMPORAL.has(word)) return this.#readTemporal(word as (typeof TEMPORAL_OPERATORS)[number]);
    }
    if ((word === 'true' || word === 'false') && !this.#isComparison(1)) {
      this.#next += 1;
      return { kind: 'always', isTrue: word === 'true' };
    }
    return this.#readComparison(depth);
  }

  #isComparison(ahead: number): boolean {
    const token = this.#peek(ahead);
    return token.kind === 'sign' && COMPARISONS.has(token.text);
  }

  #readComparison(depth: number): ReadCondition {
    const value = this.#readOperand(depth);
    if (this.#isComparison(0)) {
      const op = this.#take().text as Comparison;
      return { kind: 'compare', op, left: value, right: this.#readOperand(depth) };
    }
    if (this.#takeWord('is')) {
      const isNot = this.#takeWord('not');
      if (!this.#takeWord('null')) throw this.#refuse('needs NULL');
      if (value.kind !== 'property') throw this.#refuse('needs a property for IS NULL');
      const isNull: ReadCondition = { kind: 'is-null', name: value.name };
      return isNot ? { kind: 'not', part: isNull } : isNull;
    }
    const isNot = this.#takeWord('not');
    const condition = this.#readAdvanced(value, depth);
    return isNot ? { kind: 'not', part: condition } : condition;
  }

  #readAdvanced(value: Operand, depth: number): ReadCondition {
    if (this.#takeWord('like')) {
      const pattern = this.#readOperand(depth);
      if (pattern.kind !== 'value' || typeof pattern.value !== 'string')
        throw this.#refuse('needs a text after LIKE');
      const ignoresCase = pattern.ignoresCase || (value.kind !== 'time' && value.ignoresCase);
      return { kind: 'like', value, matches: makeLike(pattern.value, ignoresCase) };
    }
    if (this.#takeWord('between')) {
      const low = this.#readOperand(depth);
      if (!this.#takeWord('and')) throw this.#refuse('needs AND');
      return { kind: 'between', value, low, high: this.#readOperand(depth) };
    }
    if (this.#takeWord('in')) {
      this.#expectSign('(');
      const list = [this.#readOperand(depth)];
      while (this.#isSign(',')) {
        this.#next += 1;
        list.push(this.#readOperand(depth));
      }
      this.#expectSign(')');
      return { kind: 'in', value, list };
    }
    throw this.#refuse('needs a comparison');
  }

  #readOperand(depth: number): Operand {
    this.#budget.node(depth);
    const token = this.#take();
    if (token.kind === 'number') return { kind: 'value', value: Number(token.text), ignoresCase: false };
    if (token.kind === 'text') return toTextOperand(token.text);
    if (token.kind === 'name') return { kind: 'property', name: token.text, ignoresCase: false };
    if (token.kind !== 'word') {
      this.#next -= 1;
      throw this.#refuse('needs a property or a value');
    }
    const word = token.text.toLowerCase();
    if (this.#isSign('(')) return this.#readCall(word, depth);
    if (word === 'true' || word === 'false')
      return { kind: 'value', value: word === 'true', ignoresCase: false };
    if (RESERVED.has(word)) {
      this.#next -= 1;
      throw this.#refuse('needs a property or a value');
    }
    return { kind: 'property', name: token.text, ignoresCase: false };
  }

  #readCall(word: string, depth: number): Operand {
    this.#expectSign('(');
    if (word === 'casei') {
      const inner = this.#readOperand(depth + 1);
      this.#expectSign(')');
      return inner.kind === 'time' ? inner : { ...inner, ignoresCase: true };
    }
    if (word !== 'timestamp' && word !== 'date')
      throw this.#refuse(`has the function ${word.slice(0, 40)}, which is not supported,`);
    const ms = this.#readTime(word);
    this.#expectSign(')');
    return { kind: 'time', ms };
  }

  #readTime(word: string): number {
    const { kind, text } = this.#take();
    const ms = kind !== 'text' ? null : word === 'date' ? parseDay(text) : parseInstant(text);
    if (ms !== null) return ms;
    this.#next -= 1;
    throw this.#refuse(
      word === 'date' ? "needs a day such as '2026-06-21'" : "needs a time such as '2026-06-21T00:00:00Z'",
    );
  }

  #readSpatial(op: 's_intersects' | 's_disjoint'): ReadCondition {
    this.#next += 1;
    this.#expectSign('(');
    const isFirst = this.#takeGeometryName();
    if (isFirst) this.#expectSign(',');
    this.#budget.shape();
    const shape = this.#readGeometry(0);
    if (!isFirst) {
      this.#expectSign(',');
      if (!this.#takeGeometryName()) throw this.#refuse('needs the property geometry');
    }
    this.#expectSign(')');
    return { kind: 'spatial', op, shape };
  }

  #takeGeometryName(): boolean {
    const token = this.#peek();
    const isName = (token.kind === 'word' || token.kind === 'name') && token.text === 'geometry';
    if (isName) this.#next += 1;
    return isName;
  }

  #readTemporal(op: (typeof TEMPORAL_OPERATORS)[number]): ReadCondition {
    this.#next += 1;
    this.#expectSign('(');
    const name = this.#take();
    if (name.kind !== 'word' && name.kind !== 'name') throw this.#refuse('needs a property');
    this.#expectSign(',');
    const span = this.#readSpan();
    this.#expectSign(')');
    return { kind: 'temporal', op, name: name.text, span };
  }

  #readSpan(): Span {
    const word = this.#take().text.toLowerCase();
    this.#expectSign('(');
    if (word === 'timestamp' || word === 'date') {
      const fromMs = this.#readTime(word);
      this.#expectSign(')');
      return { fromMs, toMs: word === 'date' ? fromMs + 86_399_999 : fromMs };
    }
    if (word !== 'interval') throw this.#refuse('needs TIMESTAMP, DATE or INTERVAL');
    const from = this.#take();
    this.#expectSign(',');
    const to = this.#take();
    this.#expectSign(')');
    const span = from.kind === 'text' && to.kind === 'text' ? toSpan(from.text, to.text) : null;
    if (span === null) throw this.#refuse('needs two times in INTERVAL');
    return span;
  }

  #readGeometry(depth: number): Readonly<Record<string, unknown>> {
    this.#budget.node(depth);
    const word = this.#take().text.toLowerCase();
    if (this.#isWord('z')) this.#next += 1;
    if (word === 'bbox') return { type: 'bbox', coordinates: this.#readBox() };
    if (word === 'geometrycollection') {
      const geometries = this.#readList(() => this.#readGeometry(depth + 1));
      return { type: 'GeometryCollection', geometries };
    }
    const type = GEOMETRIES.get(word);
    if (type === undefined) {
      this.#next -= 1;
      throw this.#refuse('needs a geometry such as POLYGON((…))');
    }
    const [name, levels] = type;
    if (name === 'Point') {
      const [position] = this.#readList(() => this.#readPosition());
      return { type: name, coordinates: position };
    }
    return { type: name, coordinates: this.#readLevels(levels) };
  }

  #readLevels(levels: number): readonly unknown[] {
    return this.#readList(() => (levels === 1 ? this.#readPoint() : this.#readLevels(levels - 1)));
  }

  /** A position of a list; MULTIPOINT may put each in parentheses. */
  #readPoint(): readonly number[] {
    if (!this.#isSign('(')) return this.#readPosition();
    this.#next += 1;
    const position = this.#readPosition();
    this.#expectSign(')');
    return position;
  }

  #readPosition(): readonly number[] {
    const numbers: number[] = [];
    while (this.#peek().kind === 'number' && numbers.length < 4) numbers.push(Number(this.#take().text));
    if (numbers.length < 2) throw this.#refuse('needs a position');
    return numbers.slice(0, 2);
  }

  #readBox(): readonly number[] {
    const numbers = this.#readList(() => {
      const token = this.#take();
      if (token.kind !== 'number') throw this.#refuse('needs the numbers of a box');
      return Number(token.text);
    });
    return numbers;
  }

  #readList<Item>(read: () => Item): readonly Item[] {
    this.#expectSign('(');
    const items = [read()];
    while (this.#isSign(',')) {
      this.#next += 1;
      items.push(read());
    }
    this.#expectSign(')');
    return items;
  }
}

/** Names of geometries, and how deep their positions lie. */
const GEOMETRIES: ReadonlyMap<string, readonly [type: string, levels: number]> = new Map([
  ['point', ['Point', 0]],
  ['multipoint', ['MultiPoint', 1]],
  ['linestring', ['LineString', 1]],
  ['multilinestring', ['MultiLineString', 2]],
  ['polygon', ['Polygon', 2]],
  ['multipolygon', ['MultiPolygon', 3]],
]);

/** The span between two texts: times, days, or `..` for an open end; null when it is none. */
export function toSpan(from: string, to: string): Span | null {
  const fromMs = from === '..' ? Number.NEGATIVE_INFINITY : (parseInstant(from) ?? parseDay(from));
  const day = parseDay(to);
  const toMs =
    to === '..' ? Number.POSITIVE_INFINITY : (parseInstant(to) ?? (day === null ? null : day + 86_399_999));
  return fromMs === null || toMs === null || fromMs > toMs ? null : { fromMs, toMs };
}
