import { inputRules } from '../../bandmath/index.ts';
import type { SurveyJobs, WindowFindings } from '../../blocks/index.ts';
import { makeSurveyWindows } from '../../blocks/index.ts';
import type { Size } from '../../geo/index.ts';
import { toShownFile } from '../../net/index.ts';
import type { JobRunner, Ticket } from '../../pool/index.ts';
import type { PixelWindow, ResampleMethod } from '../../raster/index.ts';
import { toRead } from '../plan/point-plan.ts';
import type { CloudPlan, InputPlan, PixelPlan, SceneRef } from '../plan/render-plan.ts';

/** What an input is read for. */
type InputRole = 'band' | 'panchromatic' | 'clouds';

/** One input of a plan, for a person: which pixels of which file, and what becomes of their numbers. */
export interface ExplainedInput extends WindowFindings {
  readonly role: InputRole;
  readonly band: string;
  /** The scene that the file belongs to. */
  readonly viewId: string;
  readonly file: ReturnType<typeof toShownFile>;
  /** Counted from 0. */
  readonly bandIndex: number;
  readonly rule: InputPlan['rule'];
  /** By the names that the rule gives them. */
  readonly parameters: Readonly<Record<string, number>>;
  /** The pixels to read; null if there are none on the grid. */
  readonly read: ExplainedRead | null;
  /** The product says that the band measured nothing. */
  readonly isAbsent: boolean;
}

/** The pixels of a file that are read. */
interface ExplainedRead {
  /** 0 is the full image, 1 its first overview. */
  readonly level: number;
  readonly levelSize: Size;
  readonly window: PixelWindow;
  /** `copy` if the pixels are those of the grid. */
  readonly method: ResampleMethod | 'copy';
}

/** An input of a plan, and what it is for. */
export interface PlannedInput {
  readonly role: InputRole;
  readonly input: InputPlan;
  /** The scene of the plan; the input may belong to an earlier one. */
  readonly scene: SceneRef;
}

/** A mask that is read with a plan, and the scene whose file it is. */
export interface PlannedMask extends SceneRef {
  readonly plan: CloudPlan;
}

/** All inputs of a plan, in the order in which they are read. A mask of polygons has none. */
export function listInputs(plan: PixelPlan, masks: readonly PlannedMask[] = []): readonly PlannedInput[] {
  const { sharpen } = plan;
  return [
    ...plan.inputs.map((input) => ({ role: 'band', input, scene: plan }) as const),
    ...(sharpen === undefined ? [] : [{ role: 'panchromatic', input: sharpen.pan, scene: plan } as const]),
    ...masks.flatMap(({ plan: { source }, ...scene }) =>
      source.kind === 'pixels'
        ? source.inputs.map((input) => ({ role: 'clouds', input, scene }) as const)
        : [],
    ),
  ];
}

/** Explains inputs, and what reading them takes. `isRead` is false for a plan that shows nothing, so that none is read. */
export type ExplainInputs = (
  inputs: readonly PlannedInput[],
  ticket: Ticket,
  isRead?: boolean,
) => Promise<readonly ExplainedInput[]>;

/** Builds it; a file in another state than planned is an error, after which one plans again. */
export const makeExplainInputs = (pool: JobRunner<SurveyJobs>): ExplainInputs => {
  const surveyWindows = makeSurveyWindows(pool);
  return async (inputs, ticket, isRead = true) => {
    const reads = inputs.flatMap((one) => {
      const { input, scene } = one;
      return isRead && input.warp !== null ? [{ one, window: toRead(input, input.warp, scene) }] : [];
    });
    const surveyed = await surveyWindows(
      reads.map(({ window }) => window),
      ticket,
    );
    const byInput = new Map(reads.map(({ one }, i) => [one, surveyed[i]]));
    return inputs.map((one) => explainInput(one, byInput.get(one) ?? UNREAD));
  };
};

const UNREAD: WindowFindings = { survey: null, problem: null };

function explainInput({ role, input, scene }: PlannedInput, findings: WindowFindings): ExplainedInput {
  const { band, href, bandIndex, rule, warp, isAbsent = false } = input;
  return {
    role,
    band,
    viewId: (input.of ?? scene).viewId,
    file: toShownFile(href),
    bandIndex,
    rule,
    parameters: nameParameters(rule, input.parameters),
    read:
      warp === null
        ? null
        : {
            level: warp.level,
            levelSize: warp.levelSize,
            window: warp.window,
            method: warp.isCopy === true ? 'copy' : warp.method,
          },
    isAbsent,
    ...findings,
  };
}

/** The parameters of a rule by their names. */
const nameParameters = (
  rule: InputPlan['rule'],
  values: readonly number[],
): Readonly<Record<string, number>> =>
  Object.fromEntries(inputRules[rule].parameters.map((name, i) => [name, values[i] as number]));
