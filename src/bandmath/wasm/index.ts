export { type CompiledTree, compileTree } from './compile-tree.ts';
export { type InputRule, inputRules } from './input-rule.ts';
