import { unsupported } from '../../errors.ts';
import type { GridVariable } from '../files/grid-file.ts';

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

const shortName = ({ name }: GridVariable): string => name.split('/').at(-1)!.toLowerCase();

/** Finds the variable of a rule; `wanted` is its name as a person has given it. */
export function findVariable(
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
