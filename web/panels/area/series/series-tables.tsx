/** The series as tables: a row a scene, or a row a day. */
import type { FunctionComponent } from 'preact';
import type { MeasuredScene } from '../../../state/series-state.ts';
import type { Texts } from '../../../texts/en.ts';
import { formatDate, formatPercent } from '../../../texts/format.ts';
import { usePanel, usePart } from '../../kit/panel.tsx';
import type { SeriesDay } from './to-csv.ts';

/** The same number of digits in all rows, so that the points of a column line up. */
const makeNumbers = (locale: string, digits: number): ((value: number | null | undefined) => string) => {
  const format = new Intl.NumberFormat(locale, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return (value) => (value === null || value === undefined ? '–' : format.format(value).replace('-', '−'));
};

/** A column of dates, columns of numbers, and one of notes. */
const TableHead: FunctionComponent<{ readonly numbers: readonly string[] }> = ({ numbers }) => {
  const {
    texts: { series: words },
  } = usePanel();
  return (
    <thead>
      <tr>
        <th scope="col">{words.date}</th>
        {numbers.map((title) => (
          <th key={title} scope="col" class="number">
            {title}
          </th>
        ))}
        <th scope="col">{words.notes}</th>
      </tr>
    </thead>
  );
};

interface ScenesProps {
  readonly scenes: readonly MeasuredScene[];
  readonly onScene: (scene: MeasuredScene) => void;
}

/** Scenes, newest first; the date of each is a button that shows it, and the one on the map is marked. */
export const ScenesTable: FunctionComponent<ScenesProps> = ({ scenes, onScene }) => {
  const { texts } = usePanel();
  const { locale, series: words } = texts;
  const onMap = usePart(({ shown }) => shown?.viewId ?? null);
  const names = Object.keys(scenes[0]?.values ?? {});
  const toText = makeNumbers(locale, 3);
  return (
    <table class="plain-table">
      <TableHead numbers={[words.cloud, ...names]} />
      <tbody>
        {scenes.toReversed().map((scene) => {
          const date = formatDate(scene.date, locale);
          const isOnMap = scene.viewId === onMap;
          return (
            <tr key={scene.viewId}>
              <th scope="row">
                <button
                  type="button"
                  class="link"
                  aria-label={words.showScene(date)}
                  aria-current={isOnMap ? 'true' : undefined}
                  onClick={() => onScene(scene)}
                >
                  {date}
                </button>
              </th>
              <td class="number">
                {scene.cloudPercent === null ? '–' : formatPercent(scene.cloudPercent, locale)}
              </td>
              {names.map((name) => (
                <td key={name} class="number">
                  {toText(scene.values[name]?.average)}
                </td>
              ))}
              <td class="muted">{[...(isOnMap ? [words.shown] : []), ...scene.notes].join('; ')}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
};

interface DayColumn {
  readonly title: string;
  readonly read: (day: SeriesDay) => number | null | undefined;
  readonly toText: (value: number | null | undefined) => string;
}

/** Columns of days; those of which no day knows anything are left out. */
const toDayColumns = (
  { min, max, total, surface, rootZone, layerNames }: Texts['series'],
  locale: string,
): readonly DayColumn[] => {
  const { temperature, rain, growth, evaporation, balance, soil } = layerNames;
  const [toTenths, toThousandths] = [makeNumbers(locale, 1), makeNumbers(locale, 3)];
  return [
    { title: `${min} ${temperature.unit}`, read: ({ weather }) => weather?.minC, toText: toTenths },
    { title: `${max} ${temperature.unit}`, read: ({ weather }) => weather?.maxC, toText: toTenths },
    { title: `${rain.title} mm`, read: ({ weather }) => weather?.rainMm, toText: toTenths },
    {
      title: `${growth.title} ${growth.unit}`,
      read: ({ weather }) => weather?.growingDegrees,
      toText: toTenths,
    },
    { title: `${growth.title}, ${total}`, read: ({ growthSum }) => growthSum, toText: toTenths },
    { title: `${evaporation.title} mm`, read: ({ weather }) => weather?.evaporationMm, toText: toTenths },
    { title: `${balance.title} mm`, read: ({ weather }) => weather?.balanceMm, toText: toTenths },
    { title: `${balance.title}, ${total}`, read: ({ balanceSum }) => balanceSum, toText: toTenths },
    {
      title: `${soil.title}, ${surface}`,
      read: ({ soil: moisture }) => moisture?.surface,
      toText: toThousandths,
    },
    { title: rootZone, read: ({ soil: moisture }) => moisture?.rootZone, toText: toThousandths },
  ];
};

/** Days, newest first. */
export const DaysTable: FunctionComponent<{ readonly days: readonly SeriesDay[] }> = ({ days }) => {
  const { texts } = usePanel();
  const { locale, series: words } = texts;
  const columns = toDayColumns(words, locale).filter(({ read }) => days.some((day) => read(day) != null));
  return (
    <table class="plain-table">
      <TableHead numbers={columns.map(({ title }) => title)} />
      <tbody>
        {days.toReversed().map((day) => (
          <tr key={day.day}>
            <th scope="row">{formatDate(day.day, locale)}</th>
            {columns.map(({ title, read, toText }) => (
              <td key={title} class="number">
                {toText(read(day))}
              </td>
            ))}
            <td class="muted">{day.weather?.isForecast ? words.forecast : ''}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};
