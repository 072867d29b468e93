export { type CompiledTree, compileTree } from './compile-tree.ts';
export type { DescribedBand, ExpressionDescription } from './describe-expressions.ts';
export { describeExpressions } from './describe-expressions.ts';
export { splitExpressions } from './expression-text.ts';
export { type ListedFunction, listFunctions } from './functions.ts';
export { type BandWindow, interpretTree, type Plane } from './interpret-tree.ts';
export { type ExpressionLimits, tileLimits } from './limits.ts';
export {
  type BandMeaning,
  countEdits,
  type IndexMeaning,
  type NameMeaning,
  type Names,
  suggestName,
} from './names.ts';
export { takeOutput } from './node-list.ts';
export { parseExpressions } from './parse-expressions.ts';
export { type InputRule, inputRules } from './run-table.ts';
export type { BandInput, ExpressionType, Output, TypedTree } from './typed-tree.ts';
