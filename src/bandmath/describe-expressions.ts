import type { ExpressionLimits, Token } from './expression-text.ts';
import { readTokens, tileLimits } from './expression-text.ts';
import type { IndexMeaning, NameMeaning, Names } from './names.ts';
import { parseExpressions } from './parse-expressions.ts';
import type { BandInput, ExpressionType } from './typed-tree.ts';

/** A band that expressions name. */
export interface DescribedBand {
  /** The capital letter that stands for it. */
  readonly designator: string;
  readonly bandId: string;
  readonly resolutionM: number | null;
  /** `earlier`: of an earlier scene, for a change alias. */
  readonly scene: BandInput['scene'];
  /** True when an alias needs it as reflectance, whatever the request says. */
  readonly needsReflectance: boolean;
}

/** The parts of expressions. */
export interface ExpressionDescription {
  /** One letter per distinct band, in order of first appearance. */
  readonly designators: readonly string[];
  /** Each expression with letters for bands, and aliases written out. */
  readonly expressions: readonly string[];
  /** In the order of the designators. */
  readonly bandIds: readonly string[];
  readonly types: readonly ExpressionType[];
  readonly bands: readonly DescribedBand[];
}

/** Describes band math for a client that computes it itself; refuses what `parseExpressions` refuses. */
export function describeExpressions(
  text: string,
  names: Names,
  limits: ExpressionLimits = tileLimits,
): ExpressionDescription {
  const { outputs, inputs } = parseExpressions(text, names, limits);
  const bands: DescribedBand[] = [];

  const designate = (bandId: string, resolutionM: number | null, scene: BandInput['scene']): string => {
    const known = bands.find((band) => band.bandId === bandId && band.scene === scene);
    if (known !== undefined) return known.designator;
    const designator = String.fromCharCode('A'.charCodeAt(0) + bands.length);
    const needsReflectance = inputs.some(
      (input) => input.band === bandId && input.scene === scene && input.calibrated,
    );
    bands.push({ designator, bandId, resolutionM, scene, needsReflectance });
    return designator;
  };

  /**
   * The tokens of a text without spaces, with names replaced; the text has been parsed before, so every name is known.
   */
  function rewrite(source: string, tokens: readonly Token[], scene: BandInput['scene']): string {
    return tokens
      .map((token, index) => {
        const isCall = tokens[index + 1]?.text === '(';
        const meaning = token.kind === 'name' && !isCall ? names.find(token.text) : null;
        if (meaning === null || meaning.kind === 'composite') return source.slice(token.start, token.end);
        if (meaning.kind === 'band') return designate(meaning.name, meaning.resolutionM, scene);
        const isWhole = tokens.length === 1;
        const expanded = meaning.kind === 'index' ? expand(meaning, scene) : expandChange(meaning, scene);
        return isWhole ? expanded : `(${expanded})`;
      })
      .join('');
  }
  const expand = ({ expression }: IndexMeaning, scene: BandInput['scene']): string =>
    rewrite(expression, readTokens(expression).slice(0, -1), scene);
  const expandChange = ({ of, when }: ChangeMeaning, scene: BandInput['scene']): string =>
    when.reduce(
      (text, condition) => `where(${expand(condition.of, condition.scene)},${text},NODATA)`,
      `(${expand(of, scene)})-(${expand(of, 'earlier')})`,
    );

  const expressions = splitTokens(readTokens(text)).flatMap((tokens) => {
    const [first] = tokens;
    const meaning = tokens.length === 1 && first?.kind === 'name' ? names.find(first.text) : null;
    return meaning?.kind === 'composite'
      ? meaning.of.map((part) => expand(part, 'this'))
      : [rewrite(text, tokens, 'this')];
  });
  return {
    designators: bands.map(({ designator }) => designator),
    expressions,
    bandIds: bands.map(({ bandId }) => bandId),
    types: outputs.map(({ type }) => type),
    bands,
  };
}

type ChangeMeaning = Extract<NameMeaning, { readonly kind: 'change' }>;

/** The tokens of each expression: commas inside parentheses separate arguments, not expressions. */
function splitTokens(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const lists: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens.slice(0, -1)) {
    if (token.text === '(') depth++;
    if (token.text === ')') depth--;
    if (token.text === ',' && depth === 0) lists.push([]);
    else lists.at(-1)!.push(token);
  }
  return lists;
}
