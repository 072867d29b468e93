import { callFunction } from './call-functions.ts';
import { finishTree } from './finish-tree.ts';
import { makeNodeList } from './node-list.ts';
import type { Span } from './refuse-expression.ts';
import { refuseExpression } from './refuse-expression.ts';
import type { Tree } from './tree.ts';
import type { BandInput, ExpressionType, Output, TypedTree } from './typed-tree.ts';
import type { Fail, Value } from './values.ts';
import { makeValueOps } from './values.ts';

/** The context of a part of a tree: how its bands are read, and the position in the text for errors. */
interface Context {
  readonly calibrated: boolean;
  readonly scene: BandInput['scene'];
  /** The position of the alias while inside it: the user has not seen its text. */
  readonly at: Span | null;
}

/** Gives every part of some expressions its type, and shares common parts. */
export function typeTrees(text: string, trees: readonly Tree[]): TypedTree {
  const list = makeNodeList();
  const ops = makeValueOps(list);

  // As deep as the tree, which the node limit bounds.
  function evaluate(tree: Tree, context: Context): Value {
    if (tree.kind === 'whole') return ops.int(tree.value);
    if (tree.kind === 'decimal') return ops.float(tree.value);
    if (tree.kind === 'nodata') return ops.nodata();
    if (tree.kind === 'band') {
      const { calibrated, scene } = context;
      return ops.input(list.addInput({ band: tree.band.name, calibrated, scene }));
    }
    const fail: Fail = (code, reason) => {
      throw refuseExpression(code, { text, at: context.at ?? tree.at, reason });
    };
    if (tree.kind === 'call') {
      const args = tree.args.map((arg) => evaluate(arg, context));
      return callFunction(tree.rule, { ops, args, fail });
    }
    const inside = {
      calibrated: context.calibrated || tree.index.needsReflectance,
      scene: context.scene,
      at: context.at ?? tree.at,
    };
    const now = evaluate(tree.tree, inside);
    if (tree.changeWhen === null) return now;
    const before = evaluate(tree.tree, { ...inside, scene: 'earlier' });
    return tree.changeWhen.reduce(
      (shown, { scene, tree: condition }) =>
        ops.where(evaluate(condition, { ...inside, scene }), shown, ops.nodata()),
      ops.apply('subtract', [now, before], fail),
    );
  }

  const outputs = trees.map((tree): Output => {
    const value = evaluate(tree, { calibrated: false, scene: 'this', at: null });
    const node = ops.toNode(value);
    return {
      value: node,
      absent: value.absent,
      uses: [...value.uses],
      type: toType(value, list.nodes[node]!.type === 'boolean'),
    };
  });
  return finishTree(list, outputs);
}

const toType = ({ kind }: Value, isBoolean: boolean): ExpressionType =>
  kind === 'band' && isBoolean ? 'boolean' : kind;
