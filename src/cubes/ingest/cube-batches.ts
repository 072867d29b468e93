import { CHUNK_STEPS } from '../store/chunk.ts';
import type { StepHours } from '../store/cube.ts';
import type { CubeFields, CubePlan, CubeWriter } from '../store/cube-writer.ts';
import { checkSamePlan } from '../store/cube-writer.ts';
import type { Cubes } from '../store/cubes.ts';
import type { CubeField, CubePart } from './cube-part.ts';

/** Fields that wait to be written together: rewriting a chunk for each day would cost a hundred times as much. */
export const BATCH_BYTES = 2 ** 27;
/** So many wait for the end of their chunks, which are then written once. */
const MAX_BATCH_BYTES = 3 * BATCH_BYTES;

/** Collects fields of files, and writes many at once, into one cube or several. */
export interface CubeBatches {
  /** Opens the cube of a part; returns the steps that it has. */
  open(part: CubePart): Promise<StepHours>;
  add(cube: string, field: CubeField): Promise<void>;
  /** Says that a file is whole, and its stamp. */
  endFile(path: string, stamp: string): void;
  /** Forgets the fields of a file that broke in the middle. */
  dropFile(): void;
  flush(): Promise<void>;
  /** Cubes that were opened. */
  readonly names: () => readonly string[];
  /** The steps of the fields that each of them has got. */
  readonly steps: () => Readonly<Record<string, StepRange>>;
}

/** Steps from the first to the last. */
export interface StepRange {
  readonly firstStep: number;
  readonly lastStep: number;
}

interface Waiting {
  readonly writer: CubeWriter;
  readonly plan: CubePlan;
  /** Fields of whole files, and of the file at hand. */
  whole: CubeField[];
  current: CubeField[];
  readonly sources: Map<string, string>;
}

/** Builds the batches of a run. */
export function makeCubeBatches(cubes: Cubes): CubeBatches {
  const waiting = new Map<string, Waiting>();
  /** Cubes that the file at hand has fields for. */
  let touched = new Set<string>();
  let bytes = 0;
  const ranges = new Map<string, StepRange>();
  const write = async (): Promise<void> => {
    bytes = 0;
    for (const one of waiting.values()) {
      const fields = [...one.whole, ...one.current];
      const sources = new Map(one.sources);
      [one.whole, one.current] = [[], []];
      one.sources.clear();
      if (fields.length > 0 || sources.size > 0) await one.writer.write(groupFields(fields), sources);
    }
  };
  return {
    async open({ cube, grid, stepHours: stated, kind, runMs }) {
      const open = waiting.get(cube);
      const stepHours = stated ?? open?.plan.stepHours ?? (await cubes.find(cube))?.stepHours ?? 24;
      const plan: CubePlan = { grid, stepHours, kind, runMs };
      touched.add(cube);
      if (open !== undefined) checkSamePlan(open.plan, plan);
      else {
        const writer = await cubes.openWriter(cube, plan);
        waiting.set(cube, { writer, plan, whole: [], current: [], sources: new Map() });
      }
      return stepHours;
    },
    async add(cube, field) {
      waiting.get(cube)!.current.push(field);
      if (field.about.isStatic !== true) {
        const { firstStep, lastStep } = ranges.get(cube) ?? { firstStep: field.step, lastStep: field.step };
        ranges.set(cube, {
          firstStep: Math.min(firstStep, field.step),
          lastStep: Math.max(lastStep, field.step),
        });
      }
      bytes += field.values.byteLength;
      const isEndOfChunk = (field.step + 1) % CHUNK_STEPS === 0;
      if (bytes >= (isEndOfChunk ? BATCH_BYTES : MAX_BATCH_BYTES)) await write();
    },
    endFile(path, stamp) {
      for (const cube of touched) {
        const one = waiting.get(cube)!;
        one.whole.push(...one.current);
        one.current = [];
        one.sources.set(path, stamp);
      }
      touched = new Set();
    },
    dropFile() {
      touched = new Set();
      for (const one of waiting.values()) {
        bytes -= one.current.reduce((sum, { values }) => sum + values.byteLength, 0);
        one.current = [];
      }
    },
    flush: write,
    names: () => [...waiting.keys()],
    steps: () => Object.fromEntries(ranges),
  };
}

const groupFields = (fields: readonly CubeField[]): readonly CubeFields[] =>
  [...Map.groupBy(fields, ({ variable }) => variable)].map(([variable, items]) => ({
    variable,
    about: items[0]!.about,
    fields: items.map(({ step, values }) => ({ step, values })),
  }));
