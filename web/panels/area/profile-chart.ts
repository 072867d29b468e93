/** Heights over the distance, with a pointer that marks the point on the map. */
import uPlot from 'uplot';
import type { Profile, ProfilePoint } from '../../api/profile.ts';
import { formatHeight, formatLength } from '../../texts/format-measures.ts';
import { el } from '../dom.ts';
import type { PanelContext } from '../panel-context.ts';

/** The chart. */
interface ProfileChart {
  readonly element: HTMLElement;
  show(profile: Profile | null): void;
}

const HEIGHT_PX = 160;

const cssColor = (name: string) => (): string => {
  // The chart draws on a canvas, which knows no `light-dark()`: an element's colour is computed.
  const probe = el('span', { hidden: true });
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
};

/** Builds it; arrow keys move the pointer too. */
export const makeProfileChart = ({ actions, texts, preferences }: PanelContext): ProfileChart => {
  const { units } = preferences;
  const { locale } = texts;
  const element = el('div', { class: 'chart', tabindex: '0', role: 'slider', 'aria-valuemin': '0' });
  const readout = el('p', { class: 'chart-readout small', 'aria-hidden': 'true' });
  let plot: uPlot | null = null;
  let points: readonly ProfilePoint[] = [];
  let index: number | null = null;

  const describe = ({ distanceM, elevationM }: ProfilePoint): string => {
    const height = elevationM === null ? texts.values.none : formatHeight(elevationM, units, locale);
    return `${formatLength(distanceM, units, locale)} · ${height}`;
  };
  const point = (next: number | null): void => {
    if (next === index) return;
    index = next;
    const at = next === null ? undefined : points[next];
    readout.textContent = at === undefined ? '\u00a0' : describe(at);
    element.setAttribute('aria-valuenow', String(next ?? 0));
    element.setAttribute('aria-valuetext', describe(at ?? (points[0] as ProfilePoint)));
    actions.markOnLine(at === undefined ? null : { lat: at.lat, lon: at.lon });
  };
  const move = (next: number): void => {
    const to = Math.max(0, Math.min(points.length - 1, next));
    const at = points[to];
    if (plot === null || at === undefined) return;
    // The line above the axis has no height of its own; only the position along it counts.
    plot.setCursor({ left: plot.valToPos(at.distanceM, 'x'), top: 0 });
    point(to);
  };
  element.addEventListener('keydown', (event) => {
    const steps: Readonly<Record<string, number>> = {
      ArrowLeft: -1,
      ArrowRight: 1,
      PageDown: -10,
      PageUp: 10,
    };
    const step = steps[event.key];
    if (step !== undefined) move((index ?? (step > 0 ? -1 : points.length)) + step);
    else if (event.key === 'Home') move(0);
    else if (event.key === 'End') move(points.length - 1);
    else return;
    event.preventDefault();
  });
  element.addEventListener('blur', () => point(null));

  const makePlot = (profile: Profile, widthPx: number): uPlot => {
    const [muted, line, accent] = [cssColor('--muted'), cssColor('--line'), cssColor('--accent')];
    const axis = {
      stroke: muted,
      grid: { stroke: line, width: 1 },
      ticks: { stroke: line, width: 1, size: 4 },
      font: '12px system-ui, sans-serif',
    };
    const plain = (format: (value: number) => string) => (_: uPlot, values: number[]) => values.map(format);
    return new uPlot(
      {
        width: widthPx,
        height: HEIGHT_PX,
        legend: { show: false },
        padding: [8, 8, 0, 0],
        scales: { x: { time: false } },
        cursor: { y: false, drag: { x: false, y: false }, points: { size: 8 } },
        axes: [
          { ...axis, size: 28, space: 64, values: plain((value) => formatLength(value, units, locale)) },
          { ...axis, size: 56, space: 32, values: plain((value) => formatHeight(value, units, locale)) },
        ],
        series: [
          {},
          {
            stroke: accent,
            width: 1.75,
            fill: () => `color-mix(in srgb, ${accent()} 14%, transparent)`,
            points: { show: false },
          },
        ],
        hooks: {
          setCursor: [
            ({ cursor }) => point(cursor.left === undefined || cursor.left < 0 ? null : (cursor.idx ?? null)),
          ],
        },
      },
      [profile.points.map(({ distanceM }) => distanceM), profile.points.map(({ elevationM }) => elevationM)],
      element,
    );
  };
  new ResizeObserver(() => {
    if (plot !== null && element.clientWidth > 0 && element.clientWidth !== plot.width) {
      plot.setSize({ width: element.clientWidth, height: HEIGHT_PX });
    }
  }).observe(element);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => plot?.redraw(false));

  const box = el('div', { class: 'chart-box' }, readout, element);
  return {
    element: box,
    show(profile) {
      plot?.destroy();
      plot = null;
      [points, index] = [profile?.points ?? [], null];
      readout.textContent = '\u00a0';
      box.hidden = profile === null;
      if (profile === null || profile.minM === null || profile.maxM === null) return;
      const [min, max] = [profile.minM, profile.maxM].map((value) => formatHeight(value, units, locale)) as [
        string,
        string,
      ];
      element.setAttribute(
        'aria-label',
        texts.area.profileOf(min, max, formatLength(profile.lengthM, units, locale)),
      );
      element.setAttribute('aria-valuemax', String(points.length - 1));
      element.setAttribute('aria-valuenow', '0');
      plot = makePlot(profile, Math.max(160, element.clientWidth));
    },
  };
};
