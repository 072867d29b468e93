import { plain, splat } from './instructions.ts';
import type { Code } from './module-bytes.ts';

/**
 * How a band's number is calibrated before the expression uses it. The constants are parameters of a run, so that
 * scenes with other constants share a module. `plain`: unchanged. `shifted`: an offset is subtracted, but data never
 * falls below 1. `linear`: (value + shift) * scale, reflectance; in this order, so that the stored value of 0 gives
 * exactly 0. `thermal`: k2 / ln(k1 / (value * a + b) + 1), kelvin. `squared-ratio`: (value / A)², A from a second
 * plane: sigma nought.
 */
export const inputRules = {
  plain: { parameters: [], hasPlane: false },
  shifted: { parameters: ['shift'], hasPlane: false },
  linear: { parameters: ['shift', 'scale'], hasPlane: false },
  thermal: { parameters: ['a', 'b', 'k1', 'k2'], hasPlane: false },
  'squared-ratio': { parameters: [], hasPlane: true },
} as const;

/** Name of a rule. */
export type InputRule = keyof typeof inputRules;

interface RuleOperands {
  /** The number as read; may be used more than once. */
  readonly value: Code;
  readonly parameter: (index: number) => Code;
  /** The second plane at the same pixels. */
  readonly plane: Code;
  readonly log: () => Code;
}

/** The instructions of a rule. */
export function emitInput(rule: InputRule, { value, parameter, plane, log }: RuleOperands): Code {
  switch (rule) {
    case 'plain':
      return value;
    case 'shifted':
      return [...value, ...parameter(0), ...plain.add, ...splat(1), ...plain.max];
    case 'linear':
      return [...value, ...parameter(0), ...plain.add, ...parameter(1), ...plain.mul];
    case 'thermal':
      return [
        ...parameter(3),
        ...parameter(2),
        ...[...value, ...parameter(0), ...plain.mul, ...parameter(1), ...plain.add],
        ...[...plain.div, ...splat(1), ...plain.add, ...log()],
        ...plain.div,
      ];
    case 'squared-ratio': {
      const squared = [...value, ...value, ...plain.mul];
      return [...squared, ...plane, ...plane, ...plain.mul, ...plain.div];
    }
  }
}
