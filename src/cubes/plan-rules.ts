import type { CubeKind, CubeVariable, StepHours } from './cube.ts';
import { toStep } from './cube.ts';
import type { CubeGrid } from './cube-grid.ts';
import { unsupported } from './errors.ts';
import type { GridFile, GridVariable } from './grid-file.ts';

/** A field on its way into a cube. */
export interface CubeField {
  readonly variable: string;
  readonly about: CubeVariable;
  readonly step: number;
  readonly values: Float32Array;
}

/** What a file gives to a cube: fields on one grid, of one variable or of several that are made together. */
export interface CubePart {
  readonly cube: string;
  readonly kind: CubeKind;
  readonly runMs: number | null;
  readonly grid: CubeGrid;
  /** Null when the file does not tell: then that of the cube, or a day. */
  readonly stepHours: StepHours | null;
  /** Fields of the file that are read. */
  readonly fieldCount: number;
  /** Reads and converts the fields; `onField` is called after each field of the file. */
  read(stepHours: StepHours, onField: () => void): AsyncIterable<CubeField>;
}

/** What becomes of a file: its parts, or why nothing of it is needed. A file that cannot be used throws. */
type FilePlan = { readonly parts: readonly CubePart[] } | { readonly skip: string };

/** Decides what a file gives to which cubes; `name` is that of the file. */
export type PlanFile = (file: GridFile, name: string) => Promise<FilePlan>;

/** Which variable of a file becomes which variable of a cube, and how its units are converted. */
export interface VariableRule {
  /** Name of the variable in the cube. */
  readonly as: string;
  readonly longName: string;
  /** Units in the cube. */
  readonly units: string;
  /** Standard names and names that data sets give it, in lower case, the most certain first. */
  readonly names: readonly string[];
  /** Converts fields in units of the file, in their own memory; units that cannot be meant throw. */
  readonly makeConvert: (units: string) => (field: Float32Array) => void;
}

interface RulesOptions {
  readonly cube: string;
  readonly rules: readonly VariableRule[];
  /** Name of the variable of the first rule; null to find it. */
  readonly variable?: string | null;
}

/** Plans files of which each variable becomes one of the cube: its values at its times, in other units. */
export function makeRulesPlan({ cube, rules, variable = null }: RulesOptions): PlanFile {
  return async (file) => ({
    parts: chooseVariables(file, rules, variable).map(({ rule, found }): CubePart => {
      const { as, units, longName } = rule;
      const convert = rule.makeConvert(found.units);
      return {
        cube,
        kind: 'history',
        runMs: null,
        grid: found.grid,
        stepHours: toStepHours(found.timesMs),
        fieldCount: found.timesMs.length,
        async *read(stepHours, onField) {
          for (const [index, endMs] of found.timesMs.entries()) {
            // The mean of a period belongs to the step in which it begins.
            const ms = found.startsMs?.[index] ?? endMs;
            const values = await found.readField(index);
            convert(values);
            yield { variable: as, about: { units, longName }, step: toStep(ms, stepHours), values };
            onField();
          }
        },
      };
    }),
  });
}

/** Follows the rules that fit; if none fits, throws the error of the first. */
function chooseVariables({ variables }: GridFile, rules: readonly VariableRule[], wanted: string | null) {
  const chosen: { readonly rule: VariableRule; readonly found: GridVariable }[] = [];
  let refusal: unknown = null;
  for (const [i, rule] of rules.entries()) {
    try {
      chosen.push({ rule, found: findVariable(variables, rule, i === 0 ? wanted : null) });
    } catch (error) {
      refusal ??= error;
    }
  }
  if (chosen.length === 0) throw refusal;
  return chosen;
}

/** Finds the variable of a rule; `wanted` is its name as a person has given it. */
function findVariable(
  variables: readonly GridVariable[],
  { names }: VariableRule,
  wanted: string | null,
): GridVariable {
  const found =
    wanted === null
      ? findByNames(variables, names)
      : variables.find((one) => one.name === wanted || shortName(one) === wanted.toLowerCase());
  if (found !== undefined) return found;
  // A GeoTIFF has one band, which need not have a name.
  if (variables.length === 1 && variables[0]!.name === '') return variables[0]!;
  const listed = variables.map(({ name }) => name || 'one without a name').join(', ');
  throw unsupported(
    'no-variable',
    wanted === null
      ? `None of the variables is known (${listed.slice(0, 300)}); name one with --variable.`
      : `There is no variable "${wanted.slice(0, 80)}" over a grid; there are: ${listed.slice(0, 300)}.`,
  );
}

function findByNames(variables: readonly GridVariable[], names: readonly string[]): GridVariable | undefined {
  for (const name of names) {
    const found =
      variables.find(({ standardName }) => standardName.toLowerCase() === name) ??
      variables.find((one) => shortName(one) === name) ??
      variables.find(({ longName }) => longName.toLowerCase().replaceAll(' ', '_') === name);
    if (found !== undefined) return found;
  }
  return undefined;
}

const shortName = ({ name }: GridVariable): string => name.split('/').at(-1)!.toLowerCase();

/** Fields nearer than this are by hour; daily ones may be some hours off. */
const SAME_DAY_MS = 20 * 3_600_000;

/** Whether a time between fields, or the period of one, is that of days. */
export const isDaily = (ms: number): boolean => ms >= SAME_DAY_MS;

/** The smallest time between fields; null for a single one. */
export function toSpacingMs(timesMs: readonly number[]): number | null {
  const sorted = [...new Set(timesMs)].toSorted((one, other) => one - other);
  let spacing: number | null = null;
  for (let i = 1; i < sorted.length; i++)
    spacing = Math.min(spacing ?? Number.POSITIVE_INFINITY, sorted[i]! - sorted[i - 1]!);
  return spacing;
}

/** The steps of times; null for a single one, which tells nothing. */
export function toStepHours(timesMs: readonly number[]): StepHours | null {
  const spacing = toSpacingMs(timesMs);
  if (spacing === null) return null;
  return isDaily(spacing) ? 24 : 1;
}
