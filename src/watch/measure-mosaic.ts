import { workInOrder } from '../async/index.ts';
import type { SceneHit } from '../catalog/index.ts';
import { isSwathError } from '../errors.ts';
import { toOutline } from '../geo/index.ts';
import type { Mosaics } from '../mosaic/index.ts';
import { makeOrder, measureArea, toAreaRequest } from '../mosaic/index.ts';
import type { Ticket } from '../pool/index.ts';
import type { FilledPeriod } from './periods.ts';
import type { Reading, WatchedMosaic, WatchedShape, WatchedValue } from './subscription.ts';

/** A value of one field in a mosaic, and the scenes that it is made of. */
export interface MosaicReading extends Reading {
  readonly scenes: readonly SceneHit[];
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
  readonly mosaics: Pick<Mosaics, 'plan' | 'readValues'>;
  /** Fields that are measured at once. */
  readonly atOnce: number;
  /** Called for a period with the first refusal, if there are fields whose mosaic would need more scenes or memory than one may. */
  readonly onRefused: (period: string, fields: number, error: unknown) => void;
}

/** Builds it of the statistics of mosaics: a field has the value that it has there, of physical values. */
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

    /** The value of one shape for one expression; null if the mosaic shows too little of it. */
    async function measure(shape: WatchedShape, bands: string, own: Ticket): Promise<MosaicReading | null> {
      const outline = toOutline(shape.geometry);
      const request = toAreaRequest({
        mosaic: { search, composition, bands },
        outline,
        resolutionM: null,
        calibrated: true,
      });
      const planned = await mosaics.plan(request, ordered);
      const { summaries, areaPx, sources } = await measureArea(mosaics, { planned, outline }, own);
      const [summary = null] = summaries;
      if (summary === null || summary.count < (areaPx * value.minDataPercent) / 100) return null;
      return { fieldId: shape.id, value: summary.average, scenes: sources.map(({ hit }) => hit) };
    }

    async function measureAll(shape: WatchedShape, signal: AbortSignal): Promise<readonly MosaicReading[][]> {
      const found: MosaicReading[][] = [];
      for (const bands of value.expressions) {
        const reading = await measure(shape, bands, { ...ticket, signal }).catch((error: unknown) => {
          // One field of a group that is as large as a country does not silence the others.
          if (!isSwathError(error) || (error.tag !== 'unsupported' && error.tag !== 'bad-input')) throw error;
          refusals.push(error);
          return null;
        });
        found.push(reading === null ? [] : [reading]);
      }
      return found;
    }

    const readings = value.expressions.map((): MosaicReading[] => []);
    const options = { atOnce, signal: ticket.signal };
    for await (const found of workInOrder(shapes, options, measureAll))
      for (const [i, one] of found.entries()) readings[i]?.push(...one);
    if (refusals.length > 0) onRefused(name, refusals.length, refusals[0]);
    return readings;
  };
