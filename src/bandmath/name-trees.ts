import type { SwathError } from '../errors.ts';
import { functions } from './functions.ts';
import type { ExpressionLimits } from './limits.ts';
import type { IndexMeaning, NameMeaning, Names } from './names.ts';
import type { ParseBudget } from './parse-budget.ts';
import type { Token } from './read-tokens.ts';
import type { Span } from './refuse-expression.ts';
import { refuseExpression, toPlain } from './refuse-expression.ts';
import { suggestName } from './suggest-name.ts';
import type { Tree } from './tree.ts';

/** The state shared by the texts of one request: its own and those of its aliases. */
export interface Shared {
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
export function makeNameTrees({ text, shared, isAlias, parseAlias }: NameTools) {
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
    ...(suggestion === null ? { expected: `one of ${known.map(toPlain).join(', ')}` } : {}),
    suggestion,
  });
}
