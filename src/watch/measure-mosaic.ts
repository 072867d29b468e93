import { makePause, workInOrder } from '../async/index.ts';
import type { SceneHit } from '../catalog/index.ts';
import { isSwathError } from '../errors.ts';
import type { AreaOutline } from '../geo/index.ts';
import { toOutline } from '../geo/index.ts';
import type { MosaicPictureRequest, Mosaics } from '../mosaic/index.ts';
import { groupAreas, makeOrder, measureArea, toAreaRequest } from '../mosaic/index.ts';
import type { Ticket } from '../pool/index.ts';
import type { FilledPeriod } from './periods.ts';
import type { Reading, WatchedMosaic, WatchedShape, WatchedValue } from './subscription.ts';

/** A value of one field in a mosaic, and the scenes that it is made of. */
export interface MosaicReading extends Reading {
  readonly scenes: readonly SceneHit[];
}

type AreaGroup = ReturnType<typeof groupAreas>[number];
type AreaValues = Awaited<ReturnType<typeof measureArea>>;

/** A shape, and the pixels that it is measured in. */
interface PlacedShape {
  readonly shape: WatchedShape;
  readonly outline: AreaOutline;
  readonly request: MosaicPictureRequest;
}

/** The readings of a shape by their places; none if the mosaic shows too little of it. */
interface Measured {
  readonly expression: number;
  readonly place: number;
  readonly readings: readonly MosaicReading[];
}

/** Measures shapes in the mosaic of a period, for each expression; those that it shows too little of are left out. */
export type MeasureMosaic = (
  period: FilledPeriod<SceneHit>,
  wanted: {
    readonly shapes: readonly WatchedShape[];
    readonly value: WatchedValue;
    readonly mosaic: WatchedMosaic;
  },
  ticket: Ticket,
) => Promise<readonly (readonly MosaicReading[])[]>;

interface MeasureMosaicDeps {
  readonly mosaics: Pick<Mosaics, 'plan' | 'readValues' | 'readAreas'>;
  /** Groups of fields that are measured at once. */
  readonly atOnce: number;
  /** Called for a period with the first refusal, if there are fields whose mosaic would need more scenes or memory than one may. */
  readonly onRefused: (period: string, fields: number, error: unknown) => void;
}

/**
 * Builds it of the statistics of mosaics: a field has the value that it has there, of physical values. Fields that lie side
 * by side are measured together.
 */
export const makeMeasureMosaic =
  ({ mosaics, atOnce, onRefused }: MeasureMosaicDeps): MeasureMosaic =>
  async ({ name, from, to, scenes }, { shapes, value, mosaic }, ticket) => {
    const { composition, isRanked, maxCloudPercent } = mosaic;
    const search = {
      datasets: value.datasets,
      ...(isRanked ? { isRanked: true as const } : {}),
      period: { from, to },
      maxCloudPercent,
      area: null,
    };
    const ordered = scenes.toSorted(makeOrder(composition.selection, search));
    const refusals: unknown[] = [];

    /** One field of a group that is as large as a country does not silence the others. */
    const orRefused = <T>(measured: Promise<T>): Promise<T | null> =>
      orNull(measured, (error) => refusals.push(error));

    /** A shape, and the pixels that it is measured in for any expression. */
    const placeShape = async (shape: WatchedShape): Promise<PlacedShape> => {
      const outline = toOutline(shape.geometry);
      const request = toAreaRequest({
        mosaic: { search, composition, bands: '' },
        outline,
        resolutionM: null,
        calibrated: true,
      });
      return { shape, outline, request };
    };

    async function measureOne({ outline, request }: PlacedShape, bands: string, own: Ticket) {
      const planned = await mosaics.plan({ ...request, bands }, ordered);
      return measureArea(mosaics, { planned, outline }, own);
    }

    /** The values of all shapes of a group; null if each has to be measured by itself. */
    async function measureTogether({ members, grid, corners }: AreaGroup, bands: string, own: Ticket) {
      const [first] = members;
      if (first === undefined || members.length === 1) return null;
      const planned = await mosaics.plan({ ...placed[first]!.request, bands, grid }, ordered);
      const areas = members.map((place, i) => {
        const { outline, request } = placed[place]!;
        return { outline, grid: request.grid, corner: corners[i]! };
      });
      return mosaics.readAreas(planned, areas, own);
    }

    function toReading({ shape }: PlacedShape, { summaries, areaPx, sources }: AreaValues): MosaicReading[] {
      const [summary = null] = summaries;
      // The mosaic shows too little of it.
      if (summary === null || summary.count < (areaPx * value.minDataPercent) / 100) return [];
      return [{ fieldId: shape.id, value: summary.average, scenes: sources.map(({ hit }) => hit) }];
    }

    async function measureGroup(group: AreaGroup, signal: AbortSignal): Promise<readonly Measured[]> {
      const own = { ...ticket, signal };
      const found: Measured[] = [];
      for (const [expression, bands] of value.expressions.entries()) {
        // What a group is refused, its fields may have.
        const together = await orNull(measureTogether(group, bands, own), () => {});
        for (const [i, place] of group.members.entries()) {
          const shape = placed[place]!;
          const values = together?.[i] ?? (await orRefused(measureOne(shape, bands, own)));
          if (values !== null) found.push({ expression, place, readings: toReading(shape, values) });
        }
      }
      return found;
    }

    const placed: PlacedShape[] = [];
    const pause = makePause();
    for (const shape of shapes) {
      const own = await orRefused(placeShape(shape));
      if (own !== null) placed.push(own);
      await pause();
    }
    const readings = value.expressions.map(() => placed.map((): readonly MosaicReading[] => []));
    const groups = groupAreas(placed.map(({ request }) => request.grid));
    for await (const found of workInOrder(groups, { atOnce, signal: ticket.signal }, measureGroup))
      for (const one of found) readings[one.expression]![one.place] = one.readings;
    if (refusals.length > 0) onRefused(name, refusals.length, refusals[0]);
    return readings.map((found) => found.flat());
  };

/** Null for what a mosaic refuses to measure. */
async function orNull<T>(measured: Promise<T>, onRefused: (error: unknown) => void): Promise<T | null> {
  try {
    return await measured;
  } catch (error) {
    if (!isSwathError(error) || (error.tag !== 'unsupported' && error.tag !== 'bad-input')) throw error;
    onRefused(error);
    return null;
  }
}
