/** Measure: how much ground is burnt, flooded, under snow or greener than before. */
import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useState } from 'preact/hooks';
import { toFailureOf } from '../../actions/report.ts';
import { toFailure } from '../../api/failure.ts';
import type { Scene } from '../../scenes/scene.ts';
import { wordsOfIndex } from '../../scenes/titles.ts';
import type { Measured, MeasuredClass, Preset } from '../../state/measure-state.ts';
import { OWN_PRESET, planScenes } from '../../state/measure-state.ts';
import { sceneAlone } from '../../state/on-map.ts';
import type { Texts } from '../../texts/en.ts';
import { formatDate, formatNumber, formatPercent } from '../../texts/format.ts';
import { Button, FieldRow, Select, Switch, useOwnId } from '../kit/controls.tsx';
import { usePanel, usePart } from '../kit/panel.tsx';
import { Empty, Fold, Notice, Section } from '../kit/parts.tsx';
import { saveBlob, saveGeoJson } from '../save-file.ts';
import { Histogram } from './histogram.tsx';
import { startClasses } from './load-classes.ts';
import { choosePreset, isCompared } from './plan-order.ts';

type PresetId = keyof Texts['measure']['presets'];

/** The words of a preset in the language of the page; the server's for one that the page does not know. */
const wordsOf = ({ id, title, about }: Preset, { measure }: Texts) =>
  Object.hasOwn(measure.presets, id) ? measure.presets[id as PresetId] : { title, about };

/** The name of a class: of the preset, as the server says it, or its number. */
const nameOf = ({ number, label }: MeasuredClass, { preset }: Measured, { measure }: Texts): string => {
  const known: Readonly<Record<string, string>> = Object.hasOwn(measure.classNames, preset)
    ? measure.classNames[preset as keyof Texts['measure']['classNames']]
    : {};
  if (label === null) return measure.classNumber(number);
  return known[`c${number}`] ?? label;
};

/** Hectares and square kilometres with the digits that matter. */
const formatGround = (value: number, locale: string): string =>
  new Intl.NumberFormat(locale, { maximumFractionDigits: value >= 100 ? 0 : value >= 1 ? 1 : 3 }).format(
    value,
  );

const titleOf = ({ date, sensor, cloudPercent }: Scene, { locale, find }: Texts): string =>
  [
    formatDate(date, locale),
    sensor.title,
    ...(cloudPercent === null ? [] : [find.cloud(formatPercent(cloudPercent, locale))]),
  ].join(' · ');

interface SceneChoiceProps {
  readonly label: string;
  readonly scenes: readonly Scene[];
  readonly chosen: Scene | null;
  readonly onChoose: (viewId: string) => void;
}

const SceneChoice: FunctionComponent<SceneChoiceProps> = ({ label, scenes, chosen, onChoose }) => {
  const { texts } = usePanel();
  const id = useOwnId();
  return (
    <div>
      <label for={id}>{label}</label>
      <Select
        id={id}
        choices={scenes.map((scene) => ({ value: scene.viewId, title: titleOf(scene, texts) }))}
        value={chosen?.viewId ?? ''}
        onChoose={onChoose}
      />
    </div>
  );
};

const Table: FunctionComponent<{ readonly measured: Measured }> = ({ measured }) => {
  const { texts } = usePanel();
  const { measure: words, locale } = texts;
  const { classes, dates, unit } = measured;
  const sought = classes.filter(({ isSought }) => isSought);
  const total = sought.reduce((sum, { hectares }) => sum + hectares, 0);
  const number = (value: number): string => formatNumber(value, locale) + (unit === null ? '' : ` ${unit}`);
  const rangeOf = ({ from, to }: MeasuredClass): string => {
    if (from === null) return to === null ? '' : `< ${number(to)}`;
    return to === null ? `≥ ${number(from)}` : `${formatNumber(from, locale)} – ${number(to)}`;
  };
  const caption =
    dates.before === null
      ? words.caption(measured.expression, formatDate(dates.after, locale))
      : words.captionOfTwo(
          measured.expression,
          formatDate(dates.before, locale),
          formatDate(dates.after, locale),
        );
  return (
    <table class="plain-table">
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{words.class}</th>
          <th scope="col" class="number">
            ha
          </th>
          <th scope="col" class="number">
            km²
          </th>
        </tr>
      </thead>
      <tbody>
        {classes.map((one) => (
          <tr key={one.number}>
            <th scope="row" class="measure-name">
              <span
                class="swatch"
                ref={(swatch) => swatch?.style.setProperty('background-color', one.color)}
              />
              <span>
                {nameOf(one, measured, texts)}
                <span class="muted small measure-range">{rangeOf(one)}</span>
              </span>
            </th>
            <td class="number">{formatGround(one.hectares, locale)}</td>
            <td class="number">{formatGround(one.hectares / 100, locale)}</td>
          </tr>
        ))}
      </tbody>
      {sought.length < classes.length && (
        <tfoot>
          <tr>
            <th scope="row">{words.sought}</th>
            <td class="number">
              <strong>{formatGround(total, locale)}</strong>
            </td>
            <td class="number">
              <strong>{formatGround(total / 100, locale)}</strong>
            </td>
          </tr>
        </tfoot>
      )}
    </table>
  );
};

/** Below this, one group of values is as likely as two. */
const MIN_SEPARABILITY = 0.75;

const Result: FunctionComponent<{ readonly measured: Measured; readonly isBusy: boolean }> = ({
  measured,
  isBusy,
}) => {
  const { actions, api, texts } = usePanel();
  const { measure: words, locale } = texts;
  const isSaving = useSignal(false);
  const hasOwnThresholds = usePart(({ measure }) => measure.choice.thresholds !== null);
  const name = `classes-${measured.preset}-${measured.dates.after}`;
  const saveTiff = async (): Promise<void> => {
    isSaving.value = true;
    try {
      const order = { ...measured.order, thresholds: measured.thresholds, format: 'geotiff' };
      const init = { method: 'POST', headers: { 'content-type': 'application/json' } };
      const response = await api.send('api/classes', { ...init, body: JSON.stringify(order) });
      if (!response.ok) throw toFailure(response.status, await response.text());
      saveBlob(`${name}.tif`, await response.blob());
    } catch (error) {
      actions.report.fail(toFailureOf(error));
    } finally {
      isSaving.value = false;
    }
  };
  return (
    <div class="measure" aria-busy={isBusy}>
      <Section title={words.thresholds}>
        <Histogram measured={measured} onChoose={(thresholds) => actions.chooseMeasure({ thresholds })} />
        <div class="buttons">
          <Button look="link" onClick={() => actions.chooseMeasure({ thresholds: 'otsu' })}>
            {words.otsu}
          </Button>
          {hasOwnThresholds && (
            <Button look="link" onClick={() => actions.chooseMeasure({ thresholds: null })}>
              {words.reset}
            </Button>
          )}
        </div>
        {measured.separability !== null && measured.separability < MIN_SEPARABILITY && (
          <Notice kind="hint">{words.notSeparate}</Notice>
        )}
      </Section>
      <Table measured={measured} />
      <p class="muted small">
        {words.ground(
          formatGround(measured.areaHectares, locale),
          formatPercent(measured.clearPercent, locale),
          formatNumber(measured.pixelM, locale),
        )}
      </p>
      <div class="buttons">
        <Button icon="download" onClick={() => saveGeoJson(`${name}.geojson`, measured.geojson)}>
          GeoJSON
        </Button>
        <Button icon="download" isDisabled={isSaving.value} onClick={() => void saveTiff()}>
          GeoTIFF
        </Button>
      </div>
    </div>
  );
};

/** What the order came to: progress, a failure, or the classes; the last ones stay while others are measured. */
const Outcome: FunctionComponent = () => {
  const { actions, texts } = usePanel();
  const made = usePart(({ measure }) => measure.made);
  const isOn = usePart(({ measure }) => measure.isOn);
  const last = useSignal<Measured | null>(null);
  if (made.kind === 'ready' && last.peek() !== made.value) last.value = made.value;
  if (!isOn) return null;
  return (
    <div aria-live="polite">
      {made.kind === 'failed' && (
        <>
          <Notice kind="error">{made.text}</Notice>
          <Button look="link" onClick={() => actions.showClasses(true)}>
            {texts.frame.tryAgain}
          </Button>
        </>
      )}
      {made.kind === 'loading' && <progress aria-label={texts.measure.measuring} />}
      {last.value !== null && made.kind !== 'failed' && (
        <Result measured={last.value} isBusy={made.kind !== 'ready'} />
      )}
    </div>
  );
};

const Order: FunctionComponent<{ readonly presets: readonly Preset[] }> = ({ presets }) => {
  const { actions, texts } = usePanel();
  const { measure: words } = texts;
  const choice = usePart(({ measure }) => measure.choice);
  const found = usePart(({ measure }) => measure.scenes);
  const shown = usePart((state) => state.shown);
  const alone = usePart(sceneAlone);
  const isOn = usePart(({ measure }) => measure.isOn);
  const hasArea = usePart(({ area }) => area !== null);
  const id = useOwnId();
  const preset = choosePreset(presets, choice);
  const scenes = found.kind === 'ready' ? found.value : [];
  const compares = isCompared(preset, choice);
  const { after, before, earlier } = planScenes(scenes, {
    choice,
    shownId: alone?.viewId ?? null,
    compares,
  });
  const about = preset === null ? null : wordsOf(preset, texts);
  const indices = (shown ?? after)?.sensor.indices.filter(({ kind }) => kind === 'index') ?? [];
  const canMeasure = after !== null && (!compares || before !== null);
  return (
    <section class="measure">
      <div>
        <label for={id}>{words.what}</label>
        <Select
          id={id}
          choices={[
            ...presets.map((one) => ({ value: one.id, title: wordsOf(one, texts).title })),
            { value: OWN_PRESET, title: words.own },
          ]}
          value={preset?.id ?? OWN_PRESET}
          onChoose={(chosen) => actions.chooseMeasure({ preset: chosen, afterId: null, beforeId: null })}
        />
      </div>
      {about !== null && <p class="muted small">{about.about}</p>}
      {preset !== null && (
        <Fold title={words.reference}>
          <p class="small measure-reference">{preset.reference}</p>
        </Fold>
      )}
      {preset === null && (
        <>
          <FieldRow label={words.index}>
            {(field) => (
              <Select
                id={field}
                choices={indices.map((index) => ({
                  value: index.name,
                  title: `${index.name} ${wordsOfIndex(index, texts).title}`,
                }))}
                value={choice.index}
                onChoose={(index) => actions.chooseMeasure({ index, thresholds: null })}
              />
            )}
          </FieldRow>
          <Switch isOn={choice.isCompared} onSwitch={(on) => actions.chooseMeasure({ isCompared: on })}>
            {words.compare}
          </Switch>
        </>
      )}
      {found.kind === 'failed' && <Notice kind="error">{found.text}</Notice>}
      {found.kind === 'ready' && scenes.length === 0 && (
        <Empty text={preset?.isRadar ? words.noRadar : words.noScenes}>
          <Button onClick={() => actions.openPanel('find')}>{words.toFind}</Button>
        </Empty>
      )}
      {scenes.length > 0 && (
        <>
          {compares && earlier.length > 0 && (
            <SceneChoice
              label={words.before}
              scenes={earlier}
              chosen={before}
              onChoose={(beforeId) => actions.chooseMeasure({ beforeId })}
            />
          )}
          <SceneChoice
            label={compares ? words.after : words.scene}
            scenes={scenes}
            chosen={after}
            onChoose={(afterId) => actions.chooseMeasure({ afterId })}
          />
          {compares && earlier.length === 0 && <Notice kind="hint">{words.noEarlier}</Notice>}
          <p class="muted small">{hasArea ? words.inArea : words.inView}</p>
        </>
      )}
      <div class="buttons">
        <Button
          look={isOn ? 'secondary' : 'primary'}
          isDisabled={!canMeasure}
          onClick={() => actions.showClasses(true)}
        >
          {isOn ? words.again : words.start}
        </Button>
        {isOn && <Button onClick={() => actions.showClasses(false)}>{words.remove}</Button>}
      </div>
    </section>
  );
};

/** The panel; from its first opening on, the classes on the map follow the state. */
export const Measure: FunctionComponent = () => {
  const context = usePanel();
  const { texts } = context;
  useState(() => startClasses(context));
  const presets = usePart(({ measure }) => measure.presets);
  if (presets.kind === 'failed') return <Empty text={presets.text} />;
  if (presets.kind !== 'ready') return <Empty text={texts.frame.loadingPanel} />;
  return (
    <div class="measure-panel">
      <p class="muted">{texts.measure.hint}</p>
      <Order presets={presets.value} />
      <Outcome />
    </div>
  );
};
