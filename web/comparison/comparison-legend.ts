/** What the colours of two compared scenes mean: one legend if they agree, otherwise one for each side. */
import { makeLatest } from '../actions/latest.ts';
import type { Legend } from '../api/legend.ts';
import { el } from '../panels/dom.ts';
import { makeLegendContent } from '../panels/legend-strip.ts';
import type { PanelContext } from '../panels/panel-context.ts';
import { isComposite } from '../scenes/bands.ts';
import { bandsOfPicture } from '../scenes/picture.ts';
import { toTemplate } from '../scenes/scene-template.ts';
import { titleOfShown } from '../scenes/titles.ts';
import type { Comparison, Side } from '../state/comparison.ts';
import { formatDate } from '../texts/format.ts';

/** A strip that is filled by hand for a difference, and by the server's legends for two pictures. */
export interface ComparisonLegend {
  showSides(comparison: Comparison): Promise<void>;
  showText(title: string, text: string): void;
  showDifference(title: string, legend: Legend): void;
  hide(): void;
}

interface SideLegend {
  readonly title: string;
  readonly date: string;
  readonly legend: Legend;
}

/** Fills `host`. */
export const makeComparisonLegend = (host: HTMLElement, context: PanelContext): ComparisonLegend => {
  const { api, texts } = context;
  const latest = makeLatest();
  const fill = (...children: readonly Node[]): void => {
    host.replaceChildren(...children);
    host.hidden = children.length === 0;
  };
  const readSide = async ({ scene, picture }: Side, signal: AbortSignal): Promise<SideLegend | null> => {
    const bands = bandsOfPicture(scene.sensor, picture);
    if (isComposite(scene.sensor, bands)) return null;
    // Without a legend the picture still shows; the tiles tell what is wrong with it.
    const legend = await api.readLegend(toTemplate(scene, picture), signal).catch(() => null);
    const title = titleOfShown(scene.sensor, bands, texts);
    return legend && { title, date: formatDate(scene.date, texts.locale), legend };
  };
  return {
    async showSides({ left, right }) {
      const signal = latest.start();
      const sides = await Promise.all([readSide(left, signal), readSide(right, signal)]);
      if (signal.aborted) return;
      const [first, second] = sides;
      if (first !== null && JSON.stringify(first.legend) === JSON.stringify(second?.legend)) {
        return fill(el('h2', {}, first.title), ...makeLegendContent(first.legend, context));
      }
      const parts = sides.filter((side) => side !== null);
      fill(
        ...parts.map(({ title, date, legend }) =>
          el(
            'div',
            { class: 'legend-side' },
            el('h2', {}, `${date} · ${title}`),
            ...makeLegendContent(legend, context),
          ),
        ),
      );
    },
    showText(title, text) {
      latest.cancel();
      fill(el('h2', {}, title), el('p', { class: 'muted' }, text));
    },
    showDifference(title, legend) {
      latest.cancel();
      fill(el('h2', {}, title), ...makeLegendContent(legend, context));
    },
    hide() {
      latest.cancel();
      fill();
    },
  };
};
