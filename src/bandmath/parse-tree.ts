import type { SwathError } from '../errors.ts';
import { unsupported } from './errors.ts';
import type { ExpressionLimits, ParseBudget, Sign, Span, Token } from './expression-text.ts';
import { makeParseBudget, readTokens, refuseExpression, toPlain } from './expression-text.ts';
import type { FunctionRule } from './functions.ts';
import { functions } from './functions.ts';
import type { BandMeaning, ChangeCondition, IndexMeaning, NameMeaning, Names } from './names.ts';
import { suggestName } from './names.ts';
import { parseInteger } from './values.ts';

/** An expression as written; operators are calls of their functions. */
export type Tree =
  | { readonly kind: 'whole'; readonly value: bigint; readonly at: Span }
  | { readonly kind: 'decimal'; readonly value: number; readonly at: Span }
  | { readonly kind: 'nodata'; readonly at: Span }
  | { readonly kind: 'band'; readonly band: BandMeaning; readonly at: Span }
  | AliasTree
  | CallTree;

/** An alias where it is named; its own tree has positions in its own text. */
interface AliasTree {
  readonly kind: 'alias';
  readonly index: IndexMeaning;
  readonly tree: Tree;
  /** Minus the same index of an earlier scene, where these are all true; null for the index itself. */
  readonly changeWhen: readonly { readonly scene: ChangeCondition['scene']; readonly tree: Tree }[] | null;
  readonly at: Span;
}

/** A function and its operands. */
interface CallTree {
  readonly kind: 'call';
  readonly name: string;
  readonly rule: FunctionRule;
  readonly args: readonly Tree[];
  /** Of the name or the operator. */
  readonly at: Span;
}

/** Expressions as written, and the work of parsing them. */
interface ParsedText {
  readonly trees: readonly Tree[];
  /** Tokens consumed and nodes created: must grow no faster than the text. */
  readonly steps: number;
}

const SUM_SIGNS = { '+': 'add', '-': 'subtract' } as const;
const PRODUCT_SIGNS = { '*': 'multiply', '/': 'divide' } as const;

/** Parses expressions separated by commas. Operators bind as in Python; `^` and `**` are the same. */
export function parseTrees(text: string, names: Names, limits: ExpressionLimits): ParsedText {
  if (text.length > limits.maxChars) {
    throw unsupported(
      'expression-too-long',
      `The band expression has ${text.length} characters, more than ${limits.maxChars}.`,
      { details: { position: limits.maxChars, limit: limits.maxChars } },
    );
  }
  const budget = makeParseBudget(limits);
  const trees = makeParser(text, { names, limits, budget, aliases: new Map() }).parseList();
  return { trees, steps: budget.steps };
}

/** The parser of one text: the request's, or an alias's own. `isAlias`: names may then only be bands. */
function makeParser(text: string, shared: Shared, isAlias = false) {
  const { names, limits, budget } = shared;
  const { countNodes, refuseSize, toNamed, toAlias } = makeNameTrees({
    text,
    shared,
    isAlias,
    parseAlias: (aliasText) => makeParser(aliasText, shared, true).parseOne(),
  });
  const tokens = readTokens(text);
  let index = 0;
  const peek = (ahead = 0): Token => tokens[Math.min(index + ahead, tokens.length - 1)]!;
  const isSign = (sign: Sign, ahead = 0): boolean => {
    const token = peek(ahead);
    return token.kind === 'sign' && token.text === sign;
  };
  const take = (): Token => {
    budget.countStep();
    return tokens[index++]!; // the end is never taken
  };

  const refuse = (code: string, at: Span, reason: string, more: { expected?: string } = {}): SwathError =>
    refuseExpression(code, { text, at, reason, ...more });
  const refuseToken = (expected: string): SwathError => {
    const token = peek();
    const what =
      token.kind === 'end' ? 'the text ends here.' : `"${token.text.slice(0, 40)}" does not fit here.`;
    return refuse('bad-expression', token, what, { expected });
  };

  const descend = <Result>(at: Span, read: () => Result): Result => budget.descend(read, refuseSize(at));

  const makeCall = (name: string, args: readonly Tree[], at: Span): Tree => {
    countNodes(1, at);
    return { kind: 'call', name, rule: functions.get(name)!, args, at };
  };

  const parseSum = (): Tree => parseChain(SUM_SIGNS, () => parseChain(PRODUCT_SIGNS, parseFactor));

  function parseChain(signs: Readonly<Partial<Record<string, string>>>, parseOperand: () => Tree): Tree {
    let tree = parseOperand();
    for (;;) {
      const token = peek();
      const name = token.kind === 'sign' ? signs[token.text] : undefined;
      if (name === undefined) return tree;
      take();
      tree = makeCall(name, [tree, parseOperand()], token);
    }
  }

  /** A sign binds less tightly than a power on its right: −2^2 is −(2^2). */
  function parseFactor(): Tree {
    const token = peek();
    if (!isSign('-') && !isSign('+')) return parsePower();
    take();
    const operand = descend(token, parseFactor);
    if (token.text === '-') return makeCall('negative', [operand], token);
    countNodes(1, token);
    return operand;
  }

  /** A power binds less tightly than a sign on its right: 2^-1; so powers group from the right. */
  function parsePower(): Tree {
    const base = parseAtom();
    const token = peek();
    if (!isSign('^')) return base;
    take();
    return makeCall('power', [base, descend(token, parseFactor)], token);
  }

  function parseAtom(): Tree {
    const token = peek();
    if (token.kind === 'whole' || token.kind === 'decimal') return parseNumber(token);
    if (token.kind === 'name') return isSign('(', 1) ? parseCall() : toNamed(take());
    if (!isSign('(')) throw refuseToken('a number, a name or "("');
    take();
    const tree = descend(token, parseSum);
    if (!isSign(')')) throw refuseToken('an operator or ")"');
    take();
    return tree;
  }

  function parseNumber(token: Token): Tree {
    take();
    countNodes(1, token);
    if (token.kind === 'decimal') return { kind: 'decimal', value: Number(token.text), at: token };
    const value = parseInteger(token.text);
    if (typeof value !== 'bigint') {
      throw refuse('integer-too-large', token, 'the whole number is too large.', {
        expected: 'a decimal such as 1e300',
      });
    }
    return { kind: 'whole', value, at: token };
  }

  function parseCall(): Tree {
    const token = take();
    const rule = functions.get(token.text);
    if (rule === undefined) throw refuseFunction(token);
    const open = take();
    const args = descend(open, () => {
      const list: Tree[] = [];
      if (isSign(')')) return list;
      list.push(parseSum());
      while (isSign(',')) {
        take();
        list.push(parseSum());
      }
      return list;
    });
    if (!isSign(')')) throw refuseToken('an operator, "," or ")"');
    take();
    checkArguments(token, rule, args);
    return makeCall(token.text, args, token);
  }

  function checkArguments(token: Token, { minArgs, maxArgs }: FunctionRule, args: readonly Tree[]): void {
    if (args.length >= minArgs && args.length <= maxArgs) return;
    const counts = minArgs === maxArgs ? `${minArgs}` : `${minArgs} to ${maxArgs}`;
    throw refuse('wrong-arguments', token, `${token.text} is given ${args.length} arguments.`, {
      expected: `${counts} of them`,
    });
  }

  function refuseFunction(token: Token): SwathError {
    const isName = names.find(token.text) !== null;
    return refuseExpression('unknown-function', {
      text,
      at: token,
      reason: isName
        ? `"${token.text}" is not a function.`
        : `there is no function "${token.text.slice(0, 40)}".`,
      expected: isName ? 'an operator between it and "("' : undefined,
      suggestion: isName ? null : suggestName(token.text, functions.keys()),
    });
  }

  /** One expression, or the several of a composite that stands alone. */
  function parseExpression(): readonly Tree[] {
    const token = peek();
    const isAlone = isSign(',', 1) || peek(1).kind === 'end';
    const meaning = token.kind === 'name' && isAlone && !isAlias ? names.find(token.text) : null;
    if (meaning?.kind !== 'composite') return [parseSum()];
    take();
    return meaning.of.map((part) => toAlias(part, token));
  }

  function parseList(): readonly Tree[] {
    const trees: Tree[] = [];
    for (;;) {
      const start = peek();
      trees.push(...parseExpression());
      if (trees.length > limits.maxExpressions) {
        throw refuse(
          'too-many-expressions',
          start,
          `there are more than ${limits.maxExpressions} expressions.`,
        );
      }
      if (peek().kind === 'end') return trees;
      if (!isSign(',')) throw refuseToken('an operator, "," or the end');
      take();
    }
  }

  function parseOne(): Tree {
    const tree = parseSum();
    if (peek().kind !== 'end') throw refuseToken('an operator or the end');
    return tree;
  }

  return { parseList, parseOne };
}

/** The state shared by the texts of one request: its own and those of its aliases. */
interface Shared {
  readonly names: Names;
  readonly limits: ExpressionLimits;
  readonly budget: ParseBudget;
  /** Aliases parsed so far, and the node count of each. */
  readonly aliases: Map<string, { readonly tree: Tree; readonly nodes: number }>;
}

type ChangeMeaning = Extract<NameMeaning, { readonly kind: 'change' }>;

interface NameTools {
  readonly text: string;
  readonly shared: Shared;
  /** Names may then only be bands. */
  readonly isAlias: boolean;
  /** Parses the whole text of an alias. */
  readonly parseAlias: (text: string) => Tree;
}

/** Builds the resolver of names in a text. */
function makeNameTrees({ text, shared, isAlias, parseAlias }: NameTools) {
  const { names, budget, aliases } = shared;
  const refuseSize =
    (at: Span) =>
    (reason: string): SwathError =>
      refuseExpression('expression-too-complex', { text, at, reason });
  const countNodes = (count: number, at: Span): void => budget.countNodes(count, refuseSize(at));

  function toTree(meaning: NameMeaning, token: Token): Tree {
    if (meaning.kind === 'band') {
      countNodes(1, token);
      budget.countBand(meaning.name, refuseSize(token));
      return { kind: 'band', band: meaning, at: token };
    }
    if (meaning.kind === 'index') return toAlias(meaning, token);
    if (meaning.kind === 'change') return toChange(meaning, token);
    const reason = `${meaning.name} is ${meaning.of.length} images and can only stand alone.`;
    throw refuseExpression('bad-expression', { text, at: token, reason });
  }

  /** The tree of an alias's own text; its nodes count each time it is named. */
  function readAlias(alias: IndexMeaning, token: Token): Tree {
    const known = aliases.get(alias.name);
    if (known !== undefined) {
      countNodes(known.nodes, token);
      return known.tree;
    }
    const before = budget.nodes;
    const tree = parseAlias(alias.expression);
    aliases.set(alias.name, { tree, nodes: budget.nodes - before });
    return tree;
  }

  const toAlias = (index: IndexMeaning, token: Token): Tree => ({
    kind: 'alias',
    index,
    tree: readAlias(index, token),
    changeWhen: null,
    at: token,
  });

  function toChange({ of, when }: ChangeMeaning, token: Token): Tree {
    const tree = readAlias(of, token);
    readAlias(of, token);
    const changeWhen = when.map((condition) => ({
      scene: condition.scene,
      tree: readAlias(condition.of, token),
    }));
    // The difference, and for each condition a choice with NODATA.
    countNodes(1 + 2 * when.length, token);
    return { kind: 'alias', index: of, tree, changeWhen, at: token };
  }

  function toNamed(token: Token): Tree {
    const meaning = names.find(token.text);
    if (meaning !== null && (!isAlias || meaning.kind === 'band')) return toTree(meaning, token);
    countNodes(1, token);
    if (token.text === 'pi') return { kind: 'decimal', value: Math.PI, at: token };
    if (token.text.toUpperCase() === 'NODATA') return { kind: 'nodata', at: token };
    throw refuseName(text, token, names);
  }

  return { countNodes, refuseSize, toNamed, toAlias };
}

function refuseName(text: string, token: Token, names: Names): SwathError {
  if (functions.has(token.text)) {
    const reason = `${token.text} is a function.`;
    return refuseExpression('bad-expression', { text, at: token, reason, expected: '"(" behind it' });
  }
  const known = ['NODATA', 'pi', ...names.all];
  const suggestion = suggestName(token.text, [...names.all, 'NODATA', 'pi', ...functions.keys()]);
  return refuseExpression('unknown-band', {
    text,
    at: token,
    reason: `"${token.text.slice(0, 40)}" is not a name here.`,
    expected: suggestion === null ? `one of ${known.map(toPlain).join(', ')}` : undefined,
    suggestion,
  });
}
