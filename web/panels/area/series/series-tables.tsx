/** The series as tables: a row a scene, or a row a day. */
import type { FunctionComponent } from 'preact';
import type { MeasuredScene } from '../../../state/series-state.ts';
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

/** Days, newest first. */
export const DaysTable: FunctionComponent<{ readonly days: readonly SeriesDay[] }> = ({ days }) => {
  const { texts } = usePanel();
  const { locale, series: words } = texts;
  const [toTenths, toThousandths] = [makeNumbers(locale, 1), makeNumbers(locale, 3)];
  const { temperature, rain, soil } = words.layerNames;
  return (
    <table class="plain-table">
      <TableHead
        numbers={[
          `${words.min} ${temperature.unit}`,
          `${words.max} ${temperature.unit}`,
          `${rain.title} mm`,
          `${soil.title}, ${words.surface}`,
          words.rootZone,
        ]}
      />
      <tbody>
        {days.toReversed().map(({ day, weather, soil: moisture }) => (
          <tr key={day}>
            <th scope="row">{formatDate(day, locale)}</th>
            <td class="number">{toTenths(weather?.minC)}</td>
            <td class="number">{toTenths(weather?.maxC)}</td>
            <td class="number">{toTenths(weather?.rainMm)}</td>
            <td class="number">{toThousandths(moisture?.surface)}</td>
            <td class="number">{toThousandths(moisture?.rootZone)}</td>
            <td class="muted">{weather?.isForecast ? words.forecast : ''}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};
