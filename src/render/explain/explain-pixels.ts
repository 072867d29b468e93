import type { Grid } from '../../geo/index.ts';
import type { Ticket } from '../../pool/index.ts';
import type { RenderLimits } from '../plan/plan-inputs.ts';
import { workPerPixel } from '../plan/plan-inputs.ts';
import type { PixelPlan } from '../plan/render-plan.ts';
import type { ExplainedInput, ExplainInputs, PlannedMask } from './explain-inputs.ts';
import { listInputs } from './explain-inputs.ts';

/** One step of the work, and the stage under which its time is reported. */
export interface ExplainedStep {
  readonly step: string;
  readonly stage: 'read' | 'warp' | 'math' | 'colour' | 'encode';
  /** What is done, for a person. */
  readonly detail: string;
}

/** What the work takes, and what is allowed. */
export interface ExplainedCost {
  /** Estimated pixel memory. */
  readonly bytes: number;
  readonly limitBytes: number;
  /** Additions of all pixels. */
  readonly work: number;
  readonly limitWork: number;
}

/** Pixels that are read and computed together. */
export interface ExplainedPixels {
  readonly bands: string;
  readonly grid: Grid;
  readonly inputs: readonly ExplainedInput[];
  readonly steps: readonly ExplainedStep[];
}

/** A plan that is explained. */
interface PixelsRequest {
  /** The expressions as the caller wrote them. */
  readonly bands: string;
  readonly plan: PixelPlan;
  /** Masks that are read with it; none by default. */
  readonly masks?: readonly PlannedMask[];
}

/** Explains any plan of pixels, for answers that are planned elsewhere too. */
export type ExplainPixels = (request: PixelsRequest, ticket: Ticket) => Promise<ExplainedPixels>;

/** Builds it. */
export const makeExplainPixels =
  (explainInputs: ExplainInputs): ExplainPixels =>
  async ({ bands, plan, masks }, ticket) => ({
    bands,
    grid: plan.grid,
    inputs: await explainInputs(listInputs(plan, masks), ticket),
    steps: listPixelSteps(plan),
  });

/** Pixels, and what reading and computing them takes. */
export interface ExplainedSample extends ExplainedPixels {
  readonly cost: ExplainedCost;
}

/** A plan whose cost is explained too. */
interface SampleRequest extends PixelsRequest {
  /** Estimated pixel memory. */
  readonly bytes: number;
  readonly limits: Pick<RenderLimits, 'bytes' | 'work'>;
}

/** Explains any plan of pixels, with its cost. */
export type ExplainSample = (request: SampleRequest, ticket: Ticket) => Promise<ExplainedSample>;

/** Builds it. */
export const makeExplainSample =
  (explainPixels: ExplainPixels): ExplainSample =>
  async ({ bytes, limits, ...request }, ticket) => ({
    ...(await explainPixels(request, ticket)),
    cost: explainCost(request.plan, bytes, limits),
  });

/** What a plan takes, against the limits of a picture. */
export const explainCost = (
  { tree, grid: { width, height } }: Pick<PixelPlan, 'tree' | 'grid'>,
  bytes: number,
  limits: Pick<RenderLimits, 'bytes' | 'work'>,
): ExplainedCost => ({
  bytes,
  limitBytes: limits.bytes,
  work: workPerPixel(tree) * width * height,
  limitWork: limits.work,
});

/** Reading, warping and computing, which every kind of answer does. */
export function listPixelSteps({ inputs, tree, sharpen, grid }: PixelPlan): readonly ExplainedStep[] {
  const read = inputs.flatMap(({ warp }) => (warp === null ? [] : [warp]));
  const methods = new Set(read.flatMap(({ isCopy, method }) => (isCopy === true ? [] : [method])));
  const { nodes, outputs, costPerPixel, needsWindow } = tree;
  return [
    { step: 'read', stage: 'read', detail: `${count(inputs.length, 'window')} of ${countFiles(inputs)}` },
    ...(methods.size === 0
      ? []
      : [
          {
            step: 'warp',
            stage: 'warp',
            detail: `${[...methods].join(', ')} onto ${grid.width} × ${grid.height} pixels`,
          } as const,
        ]),
    {
      step: 'math',
      stage: 'math',
      detail: `${count(outputs.length, 'channel')} of ${count(nodes.length, 'node')}, about ${count(Math.round(costPerPixel), 'addition')} a pixel${needsWindow ? ', interpreted over the whole window' : ''}`,
    },
    ...(sharpen === undefined
      ? []
      : [{ step: 'sharpen', stage: 'math', detail: `${sharpen.kind}, with ${sharpen.pan.band}` } as const]),
  ];
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;

const countFiles = (inputs: readonly { readonly href: string }[]): string =>
  count(new Set(inputs.map(({ href }) => href)).size, 'file');
