/** Keeps the legend in step with what is shown. */
import type { Api } from './api.ts';
import { Failure, isBandMissing, isKeyRefused } from './failure.ts';
import type { Legend } from './legend.ts';

/** The box over the map. */
export interface LegendBox {
  /** Shows a legend, or a sentence instead. */
  show(title: string, legend: Legend | string): void;
  hide(): void;
}

/** Pictures of one channel, whose colours mean something. */
interface Explained {
  readonly title: string;
  /** The tile address with its bands and colours filled in. */
  readonly template: string;
}

/** Shows the legend of these pictures; `null` when there is nothing to explain. */
export type FollowLegend = (shown: Explained | null) => Promise<void>;

/** What to say instead of a legend; nothing if there is no picture either: the tiles report that. */
const toExcuse = (error: unknown): string | null => {
  const isOfPicture = error instanceof Failure && (isBandMissing(error) || isKeyRefused(error));
  if (isOfPicture) return null;
  return `No legend: ${error instanceof Error ? error.message : String(error)}`;
};

/** Builds it; of legends that come out of order only that of the last pictures is shown. */
export const makeFollowLegend = (box: LegendBox, { readLegend }: Pick<Api, 'readLegend'>): FollowLegend => {
  let latest = 0;
  return async (shown) => {
    const request = ++latest;
    if (shown === null) return box.hide();
    const legend = await readLegend(shown.template).catch(toExcuse);
    if (request !== latest) return;
    if (legend === null) box.hide();
    else box.show(shown.title, legend);
  };
};
