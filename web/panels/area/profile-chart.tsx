/** Heights over the distance, with a pointer that marks the point on the map. */
import '../valid-language.ts';
import type { FunctionComponent } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import type { Profile, ProfilePoint } from '../../api/profile.ts';
import { formatHeight, formatLength } from '../../texts/format-measures.ts';
import { usePanel } from '../kit/panel.tsx';
import { readColor } from '../page.ts';
import type { PanelContext } from '../panel-context.ts';

const HEIGHT_PX = 160;

/** `1.2 km · 830 m`. */
export const describePoint = (
  { distanceM, elevationM }: ProfilePoint,
  { texts, preferences: { units } }: PanelContext,
): string => {
  const height = elevationM === null ? texts.values.none : formatHeight(elevationM, units, texts.locale);
  return `${formatLength(distanceM, units, texts.locale)} · ${height}`;
};

interface PlotParts {
  readonly host: HTMLElement;
  readonly profile: Profile;
  readonly context: PanelContext;
  onPoint(index: number | null): void;
}

const makePlot = ({ host, profile, context, onPoint }: PlotParts): uPlot => {
  const { units } = context.preferences;
  const { locale } = context.texts;
  const color = (name: string) => (): string => readColor(name);
  const axis = {
    stroke: color('--muted'),
    grid: { stroke: color('--line'), width: 1 },
    ticks: { stroke: color('--line'), width: 1, size: 4 },
    font: '12px system-ui, sans-serif',
  };
  const plain = (format: (value: number) => string) => (_: uPlot, values: number[]) => values.map(format);
  return new uPlot(
    {
      width: Math.max(160, host.clientWidth),
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
          stroke: color('--accent'),
          width: 1.75,
          fill: () => `color-mix(in srgb, ${readColor('--accent')} 14%, transparent)`,
          points: { show: false },
        },
      ],
      hooks: {
        setCursor: [
          ({ cursor }) => onPoint(cursor.left === undefined || cursor.left < 0 ? null : (cursor.idx ?? null)),
        ],
      },
    },
    [profile.points.map(({ distanceM }) => distanceM), profile.points.map(({ elevationM }) => elevationM)],
    host,
  );
};

/** Steps of keys along the points. */
const KEY_STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  PageDown: -10,
  PageUp: 10,
  Home: -Infinity,
  End: Infinity,
};

interface ChartProps {
  readonly profile: Profile;
  /** The point that is pointed at. */
  readonly pointed: number | null;
  readonly onPoint: (index: number | null) => void;
}

/** The chart; arrow keys move the pointer too. */
export const ProfileChart: FunctionComponent<ChartProps> = ({ profile, pointed, onPoint }) => {
  const context = usePanel();
  const { texts, preferences } = context;
  const { units } = preferences;
  const { points } = profile;
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  // The plot is made once, and tells the component of now.
  const tell = useRef(onPoint);
  tell.current = (index) => {
    if (index !== pointed) onPoint(index);
  };
  useLayoutEffect(() => {
    const { current } = host;
    if (current === null) return;
    const made = makePlot({ host: current, profile, context, onPoint: (index) => tell.current(index) });
    plot.current = made;
    const observer = new ResizeObserver(() => {
      if (current.clientWidth > 0 && current.clientWidth !== made.width)
        made.setSize({ width: current.clientWidth, height: HEIGHT_PX });
    });
    observer.observe(current);
    const theme = matchMedia('(prefers-color-scheme: dark)');
    const redraw = (): void => made.redraw(false);
    theme.addEventListener('change', redraw);
    return () => {
      theme.removeEventListener('change', redraw);
      observer.disconnect();
      made.destroy();
    };
  }, [profile]);
  const press = (event: KeyboardEvent): void => {
    const step = KEY_STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const from = pointed ?? (step > 0 ? -1 : points.length);
    const to = Math.max(0, Math.min(points.length - 1, from + step));
    const at = points[to];
    if (plot.current === null || at === undefined) return;
    // The line above the axis has no height of its own; only the position along it counts.
    plot.current.setCursor({ left: plot.current.valToPos(at.distanceM, 'x'), top: 0 });
    tell.current(to);
  };
  const height = (value: number | null): string => formatHeight(value ?? 0, units, texts.locale);
  const described = points[pointed ?? 0];
  return (
    <div
      ref={host}
      class="chart"
      role="slider"
      tabIndex={0}
      aria-label={texts.area.profileOf(
        height(profile.minM),
        height(profile.maxM),
        formatLength(profile.lengthM, units, texts.locale),
      )}
      aria-valuemin={0}
      aria-valuemax={points.length - 1}
      aria-valuenow={pointed ?? 0}
      aria-valuetext={described === undefined ? undefined : describePoint(described, context)}
      onKeyDown={press}
      onBlur={() => tell.current(null)}
    />
  );
};
