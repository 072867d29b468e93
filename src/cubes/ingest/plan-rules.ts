import type { GridFile, GridVariable } from '../files/grid-file.ts';
import { toStep } from '../store/cube.ts';
import type { CubePart, PlanFile } from './cube-part.ts';
import { toStepHours } from './step-hours.ts';
import type { VariableRule } from './variable-rule.ts';
import { findVariable } from './variable-rule.ts';

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

/** Of several rules those that fit are followed; if none fits, the first says why. */
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
