import type { FunctionRule } from './functions.ts';
import type { BandMeaning, ChangeCondition, IndexMeaning } from './names.ts';
import type { Span } from './refuse-expression.ts';

/** An expression as written; operators are calls of their functions. */
export type Tree =
  | { readonly kind: 'whole'; readonly value: bigint; readonly at: Span }
  | { readonly kind: 'decimal'; readonly value: number; readonly at: Span }
  | { readonly kind: 'nodata'; readonly at: Span }
  | { readonly kind: 'band'; readonly band: BandMeaning; readonly at: Span }
  | AliasTree
  | CallTree;

/** An alias where it is named; its own tree has positions in its own text. */
export interface AliasTree {
  readonly kind: 'alias';
  readonly index: IndexMeaning;
  readonly tree: Tree;
  /** Minus the same index of an earlier scene, where these are all true; null for the index itself. */
  readonly changeWhen: readonly { readonly scene: ChangeCondition['scene']; readonly tree: Tree }[] | null;
  readonly at: Span;
}

/** A function and its operands. */
export interface CallTree {
  readonly kind: 'call';
  readonly name: string;
  readonly rule: FunctionRule;
  readonly args: readonly Tree[];
  /** Of the name or the operator. */
  readonly at: Span;
}
