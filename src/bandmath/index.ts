export { type CompiledTree, compileTree } from './compile-tree.ts';

export { describeExpressions } from './describe-expressions.ts';
export { type ExpressionLimits, fileLimits, splitExpressions, tileLimits } from './expression-text.ts';
export { listFunctions } from './functions.ts';
export { interpretTree, type Plane } from './interpret-tree.ts';
export { countEdits, type NameMeaning, type Names, suggestName } from './names.ts';
export { takeOutput } from './node-list.ts';
export { parseExpressions } from './parse-expressions.ts';
export { type InputRule, inputRules } from './run-table.ts';
export type { BandInput, TypedTree } from './typed-tree.ts';
