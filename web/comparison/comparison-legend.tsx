/** What the colours of two compared scenes mean: one legend if they agree, otherwise one for each side. */
import { signal } from '@preact/signals';
import { makeLatest } from '../actions/latest.ts';
import type { Legend } from '../api/legend.ts';
import { mount } from '../panels/kit/panel.tsx';
import { LegendContent } from '../panels/legend-strip.tsx';
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

/** A title with its legend, or with a sentence in place of one. */
interface Titled {
  readonly title: string;
  readonly content: Legend | string;
}

const TitledLegend = ({ title, content }: Titled) => (
  <>
    <h2>{title}</h2>
    {typeof content === 'string' ? <p class="muted">{content}</p> : <LegendContent legend={content} />}
  </>
);

/** One for both sides or for a difference, or one for each side; pictures of the map show the same. */
export const comparisonLegends = signal<Titled | readonly Titled[]>([]);

/** Fills `host`, which is not seen while it is empty. */
export const mountComparisonLegend = (host: HTMLElement, context: PanelContext): ComparisonLegend => {
  const { api, texts } = context;
  const latest = makeLatest();
  const shown = comparisonLegends;
  const Strip = () =>
    'title' in shown.value ? (
      <TitledLegend {...shown.value} />
    ) : (
      shown.value.map((one, i) => (
        <div key={i} class="legend-side">
          <TitledLegend {...one} />
        </div>
      ))
    );
  mount(host, Strip, context);
  const show = (next: Titled | readonly Titled[]): void => {
    latest.cancel();
    shown.value = next;
  };
  const readSide = async ({ scene, picture }: Side, abort: AbortSignal): Promise<SideLegend | null> => {
    const bands = bandsOfPicture(scene.sensor, picture);
    if (isComposite(scene.sensor, bands)) return null;
    // Without a legend the picture still shows; the tiles tell what is wrong with it.
    const legend = await api.readLegend(toTemplate(scene, picture), abort).catch(() => null);
    const title = titleOfShown(scene.sensor, bands, texts);
    return legend && { title, date: formatDate(scene.date, texts.locale), legend };
  };
  return {
    async showSides({ left, right }) {
      const abort = latest.start();
      const sides = await Promise.all([readSide(left, abort), readSide(right, abort)]);
      if (abort.aborted) return;
      const [first, second] = sides;
      if (first !== null && JSON.stringify(first.legend) === JSON.stringify(second?.legend))
        return show({ title: first.title, content: first.legend });
      const parts = sides.filter((side) => side !== null);
      show(parts.map(({ title, date, legend }) => ({ title: `${date} · ${title}`, content: legend })));
    },
    showText: (title, content) => show({ title, content }),
    showDifference: (title, content) => show({ title, content }),
    hide: () => show([]),
  };
};
