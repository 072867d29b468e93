/** Management zones of the area: an order, and what has come of it. */
import type { FunctionComponent } from 'preact';
import { indicesOf } from '../../../actions/plan-series.ts';
import { wordsOfIndex } from '../../../scenes/titles.ts';
import type { Zones } from '../../../state/zones-state.ts';
import { PATCH_SIZES_M2, ZONE_COUNTS } from '../../../state/zones-state.ts';
import { formatDate, formatNumber, formatPercent } from '../../../texts/format.ts';
import { Button, Select } from '../../kit/controls.tsx';
import { usePanel, usePart } from '../../kit/panel.tsx';
import { Notice } from '../../kit/parts.tsx';
import { saveGeoJson } from '../../save-file.ts';
import { formatArea } from './format-area.ts';
import { toZonesGeoJson } from './to-geojson.ts';

const Order: FunctionComponent = () => {
  const { actions, texts, preferences } = usePanel();
  const { zones: words, locale } = texts;
  const sensor = usePart(({ shown }) => shown?.sensor ?? null);
  const { index, count, minPatchM2 } = usePart(({ zones }) => zones.choice);
  return (
    <div class="measure">
      <div>
        <label for="zones-index">{words.index}</label>
        <Select
          id="zones-index"
          choices={(sensor === null ? [] : indicesOf(sensor)).map((one) => ({
            value: one.name,
            title: `${one.name} ${wordsOfIndex(one, texts).title}`,
          }))}
          value={index}
          onChoose={(chosen) => actions.chooseZones({ index: chosen })}
        />
      </div>
      <div class="pair">
        <div>
          <label for="zones-count">{words.count}</label>
          <Select
            id="zones-count"
            choices={ZONE_COUNTS.map((one) => ({ value: String(one), title: String(one) }))}
            value={String(count)}
            onChoose={(chosen) => actions.chooseZones({ count: Number(chosen) })}
          />
        </div>
        <div>
          <label for="zones-patch">{words.patch}</label>
          <Select
            id="zones-patch"
            choices={PATCH_SIZES_M2.map((one) => ({
              value: String(one),
              title: one === 0 ? words.anyPatch : formatArea(one, preferences.units, locale),
            }))}
            value={String(minPatchM2)}
            onChoose={(chosen) => actions.chooseZones({ minPatchM2: Number(chosen) })}
          />
        </div>
      </div>
    </div>
  );
};

const ZonesTable: FunctionComponent<{ readonly made: Zones }> = ({ made }) => {
  const { texts, preferences } = usePanel();
  const { zones: words, locale } = texts;
  const total = made.zones.reduce((sum, { areaM2 }) => sum + areaM2, 0);
  const toArea = (areaM2: number): string => formatArea(areaM2, preferences.units, locale);
  return (
    <table class="plain-table">
      <caption>{words.caption(made.choice.index, formatDate(made.date, locale))}</caption>
      <thead>
        <tr>
          <th scope="col">{words.title}</th>
          {[words.mean, words.area, words.share].map((title) => (
            <th key={title} scope="col" class="number">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {made.zones.map(({ number, color, mean, areaM2 }) => (
          <tr key={number}>
            <th scope="row">
              <span class="swatch" style={{ backgroundColor: color }} />
              {words.zone(number)}
            </th>
            <td class="number">{mean === null ? '–' : formatNumber(mean, locale)}</td>
            <td class="number">{toArea(areaM2)}</td>
            <td class="number">{formatPercent((100 * areaM2) / total, locale)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{words.total}</th>
          <td />
          <td class="number">{toArea(total)}</td>
          <td />
        </tr>
      </tfoot>
    </table>
  );
};

const Made: FunctionComponent<{ readonly made: Zones }> = ({ made }) => {
  const { texts } = usePanel();
  const { choice, zones } = made;
  if (zones.length === 0) return <p class="muted">{texts.zones.none}</p>;
  const save = (): void =>
    saveGeoJson(`zones-${choice.index}-${made.date}.geojson`, JSON.stringify(toZonesGeoJson(made)));
  return (
    <>
      <ZonesTable made={made} />
      {zones.length < choice.count && (
        <p class="muted small">{texts.zones.fewer(zones.length, choice.count)}</p>
      )}
      <Button icon="download" onClick={save}>
        {texts.zones.save}
      </Button>
    </>
  );
};

const Result: FunctionComponent = () => {
  const { actions, texts } = usePanel();
  const made = usePart(({ zones }) => zones.made);
  return (
    <div class="measure" aria-live="polite" aria-busy={made.kind === 'loading'}>
      {made.kind === 'ready' && <Made made={made.value} />}
      {made.kind === 'loading' && (
        <>
          <p class="muted">{texts.zones.making}</p>
          <progress aria-label={texts.zones.making} />
        </>
      )}
      {made.kind === 'failed' && (
        <>
          <Notice kind="error">{made.text}</Notice>
          <Button look="link" onClick={() => actions.showZones(true)}>
            {texts.frame.tryAgain}
          </Button>
        </>
      )}
    </div>
  );
};

/** The section. */
export const ZonesSection: FunctionComponent = () => {
  const { actions, texts } = usePanel();
  const { zones: words } = texts;
  const shown = usePart((state) => state.shown);
  const { isOn, made } = usePart((state) => state.zones);
  const isPossible = shown !== null && indicesOf(shown.sensor).length > 0;
  const isOfScene = isOn && made.kind === 'ready' && made.value.viewId === shown?.viewId;
  const scene =
    shown === null
      ? texts.look.nothing
      : isPossible
        ? words.ofScene(formatDate(shown.date, texts.locale), shown.sensor.title)
        : words.noIndices(shown.sensor.title);
  return (
    <section class="measure" aria-labelledby="zones-heading">
      <h3 id="zones-heading">{words.heading}</h3>
      <p class="muted small">{words.hint}</p>
      <Order />
      <p class="muted small">{scene}</p>
      <div class="buttons">
        <Button
          look={isOfScene ? 'secondary' : 'primary'}
          isDisabled={!isPossible}
          onClick={() => actions.showZones(true)}
        >
          {isOn ? words.makeAgain : words.make}
        </Button>
        {isOn && <Button onClick={() => actions.showZones(false)}>{words.remove}</Button>}
      </div>
      <Result />
    </section>
  );
};
