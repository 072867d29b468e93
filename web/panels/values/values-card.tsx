/** What is at a clicked point, in a card over the map: the scene it is of, the values of its bands and indices. */
import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { titleOfBand, wordsOfIndex } from '../../scenes/titles.ts';
import type { Point } from '../../state/map-view.ts';
import type { NamedValue, Probe, ProbeSource } from '../../state/probe.ts';
import { formatDate, formatHeight, formatNumber } from '../../texts/format.ts';
import { Button } from '../kit/controls.tsx';
import { mount, usePanel, usePart } from '../kit/panel.tsx';
import { loadPart } from '../load-part.ts';
import { findMapCanvas, hidePart } from '../page.ts';
import type { PanelContext } from '../panel-context.ts';
import { formatPoint } from '../readout-text.ts';

interface TableProps {
  readonly heading: string;
  readonly rows: readonly NamedValue[];
  readonly titleOf: (name: string) => string;
}

const Table: FunctionComponent<TableProps> = ({ heading, rows, titleOf }) => {
  const { texts } = usePanel();
  if (rows.length === 0) return null;
  return (
    <table>
      <caption>{heading}</caption>
      <tbody>
        {rows.map(({ name, value }) => (
          <tr key={name}>
            <th scope="row" title={titleOf(name)}>
              {name}
            </th>
            <td class="muted">{titleOf(name)}</td>
            <td class="number">{value === null ? texts.values.none : formatNumber(value, texts.locale)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

const Values: FunctionComponent<{ readonly probe: Probe }> = ({ probe }) => {
  const { texts } = usePanel();
  const { bands, indices, source, isLoading, failure } = probe;
  if (isLoading) return <p class="muted">{texts.values.loading}</p>;
  if (failure !== null) return <p>{failure}</p>;
  const bandTitle = (name: string): string => {
    const band = source?.sensor.bands.find((one) => one.name === name);
    return band === undefined ? '' : titleOfBand(band, texts);
  };
  const indexTitle = (name: string): string => {
    const index = source?.sensor.indices.find((one) => one.name === name);
    return index === undefined ? '' : wordsOfIndex(index, texts).title;
  };
  return (
    <>
      <Table heading={texts.values.bands} rows={bands} titleOf={bandTitle} />
      <Table heading={texts.values.indices} rows={indices} titleOf={indexTitle} />
    </>
  );
};

/** The scene that the point shows; of a clear view it can be shown alone. */
const Source: FunctionComponent<{ readonly source: ProbeSource; readonly point: Point }> = ({
  source,
  point,
}) => {
  const { actions, texts } = usePanel();
  const isOfMany = usePart(({ clearView }) => clearView !== null);
  return (
    <p class="source">
      <span>{texts.values.from(formatDate(source.date, texts.locale), source.sensor.title)}</span>
      {isOfMany && (
        <Button look="link" onClick={() => void actions.showSource({ ...source, part: null }, point)}>
          {texts.clear.showAlone}
        </Button>
      )}
    </p>
  );
};

/** How the picture is made, once someone asks. */
const Explain: FunctionComponent<{ readonly point: Point }> = ({ point }) => {
  const { actions, texts } = usePanel();
  const part = useSignal<FunctionComponent<{ readonly point: Point }> | null>(null);
  const load = (): void =>
    loadPart({
      async load() {
        part.value = (await import('./explain-tile.tsx')).ExplainTile;
      },
      onFailure: ({ text, action }) => actions.report.showError(text, action),
      texts,
    });
  const { value: ExplainTile } = part;
  if (ExplainTile !== null) return <ExplainTile point={point} />;
  return (
    <Button look="link" onClick={load}>
      {texts.values.explain}
    </Button>
  );
};

const Card: FunctionComponent = () => {
  const { actions, texts, preferences } = usePanel();
  const probe = usePart((state) => state.probe);
  if (probe === null) return null;
  const { point, source, elevationM, isLoading } = probe;
  return (
    <>
      <header>
        <h2>{texts.values.title}</h2>
        <Button look="plain" icon="close" label={texts.values.close} onClick={actions.closeProbe} />
      </header>
      <p class="muted">{formatPoint(point, texts)}</p>
      {elevationM !== null && (
        <p class="elevation">
          {texts.terrain.elevation(formatHeight(elevationM, preferences.units, texts.locale))}
        </p>
      )}
      {source !== null && <Source source={source} point={point} />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long tables scroll, and keys have to reach them. */}
      <div class="values-content" tabIndex={0} aria-busy={isLoading}>
        {/* Before the values: a long table would hide what opens below it. */}
        {!isLoading && <Explain key={`${point.lat} ${point.lon}`} point={point} />}
        <Values probe={probe} />
      </div>
    </>
  );
};

/** Fills `host`, which is hidden while nothing was clicked. */
export const makeValuesCard = (host: HTMLElement, context: PanelContext): void => {
  host.setAttribute('aria-label', context.texts.values.title);
  mount(host, Card, context);
  context.store.watch(
    ({ probe }) => probe === null,
    (isNone) => hidePart(host, isNone, () => [findMapCanvas()]),
  );
};
