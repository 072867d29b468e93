import { makeTtlCache } from '../async/index.ts';
import type { SceneHit, SceneStore } from '../catalog/index.ts';
import type { Stretch } from '../color/index.ts';
import { makeLru } from '../lru.ts';
import type { Ticket } from '../pool/index.ts';
import type { PlannedPicture, Renderer } from '../render/index.ts';
import { toSampleQuery, toSearchKey } from './find-candidates.ts';
import type { MosaicPictureRequest, Selection } from './mosaic.ts';
import type { PlannedScene } from './plan-scenes.ts';
import { sensorOf } from './plan-scenes.ts';

/** Finds the contrast of mosaics: one for all of a mosaic's tiles. */
export interface MosaicContrast {
  /** The scenes that the contrast is measured in: the same for every tile; none if it need not be measured. */
  findSample(request: MosaicPictureRequest, front: PlannedScene): Promise<readonly SceneHit[]>;
  find(planned: ContrastRequest, ticket: Ticket): Promise<readonly Stretch[]>;
  /** Pictures of those scenes, whose contrasts become that of the mosaic. */
  planSample(planned: Omit<ContrastRequest, 'front'>): Promise<readonly PlannedPicture[]>;
}

interface ContrastRequest {
  readonly request: MosaicPictureRequest;
  readonly front: PlannedScene | null;
  readonly sample: readonly SceneHit[];
}

interface ContrastDeps {
  readonly scenes: Pick<SceneStore, 'searchHits'>;
  readonly renderer: Pick<Renderer, 'plan' | 'findContrast'>;
  readonly nowMs: () => number;
}

/** Scenes that a contrast is measured in: the least cloudy ones. More would not change what a person sees. */
const SAMPLE_SCENES = 5;
/** A new scene changes the contrast of all tiles after this time, and not from one tile to the next. */
const FRESH_MS = 30_000;
const MOST_REMEMBERED = 256;

/** Numbers of scenes from black to white, unless the request says another range. */
const COUNT_RANGE: Stretch = { min: 0, max: 16 };
/** Deviations are smaller than values: this part of the range of values is white. */
const DEVIATION_PART = 0.25;

/** Builds the search for contrasts. */
export function makeMosaicContrast({ scenes, renderer, nowMs }: ContrastDeps): MosaicContrast {
  const samples = makeTtlCache<readonly SceneHit[]>({ nowMs, freshMs: FRESH_MS, max: MOST_REMEMBERED });
  const ranges = makeLru<readonly Stretch[]>({ max: MOST_REMEMBERED });

  return {
    planSample,

    async findSample({ search, composition }, { picture }) {
      const isMeasured = picture.plan.stretches.some(({ kind }) => kind !== 'fixed');
      if (!isMeasured || composition.selection.kind === 'count') return [];
      return samples.find(toSearchKey(search), async () => {
        const { hits } = await scenes.searchHits(toSampleQuery(search, SAMPLE_SCENES));
        return hits;
      });
    },

    async find({ request, front, sample }, ticket) {
      if (front === null) return [];
      const { selection } = request.composition;
      const { stretches } = front.picture.plan;
      if (selection.kind === 'count') return [request.options.range ?? COUNT_RANGE];
      const fixed = stretches.flatMap((stretch) => (stretch.kind === 'fixed' ? [toStretch(stretch)] : []));
      if (fixed.length === stretches.length) return fixed;
      const { area: _, ...options } = request.options;
      const key = JSON.stringify([
        sample.map(({ viewId, version }) => [viewId, version]),
        request.bands,
        options,
      ]);
      const found = await ranges.rememberLater(key, () => measure({ request, sample }, ticket));
      return found.map((range, i) => {
        const stretch = stretches[i];
        return stretch?.kind === 'fixed' ? toStretch(stretch) : toShown(range, selection);
      });
    },
  };

  /** The median of the contrasts of the sample: one odd scene does not change it. */
  async function measure(
    planned: Omit<ContrastRequest, 'front'>,
    ticket: Ticket,
  ): Promise<readonly Stretch[]> {
    const found: (readonly Stretch[])[] = [];
    for (const picture of await planSample(planned)) found.push(await renderer.findContrast(picture, ticket));
    const [first = []] = found;
    return first.map((range, channel) => ({
      ...range,
      min: median(found.map((ranges) => ranges[channel]?.min ?? range.min)),
      max: median(found.map((ranges) => ranges[channel]?.max ?? range.max)),
    }));
  }

  async function planSample({
    request: { bands, options, grid },
    sample,
  }: Omit<ContrastRequest, 'front'>): Promise<readonly PlannedPicture[]> {
    const pictures: PlannedPicture[] = [];
    for (const hit of sample) {
      const { viewId } = hit;
      const name = { viewId, sensor: sensorOf(hit), sceneName: viewId.slice(viewId.indexOf('/') + 1) };
      pictures.push(await renderer.plan({ ...name, bands, grid, options: { ...options, area: null } }));
    }
    return pictures;
  }
}

const toStretch = ({ min, max, gamma, isDecibel }: Stretch): Stretch => ({
  min,
  max,
  ...(gamma === undefined ? {} : { gamma }),
  ...(isDecibel === undefined ? {} : { isDecibel }),
});

function toShown(range: Stretch, { kind }: Selection): Stretch {
  return kind === 'deviation' ? { ...range, min: 0, max: (range.max - range.min) * DEVIATION_PART } : range;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
