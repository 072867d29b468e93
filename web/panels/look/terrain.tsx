/** Terrain: the ground under the scene as shade, slope or contours, and the map in three dimensions. */
import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import type { Legend } from '../../api/legend.ts';
import { toBox } from '../../scenes/footprint.ts';
import type { Terrain } from '../../scenes/terrain.ts';
import { EXAGGERATIONS, isBelowScene, TERRAIN_LAYERS } from '../../scenes/terrain.ts';
import type { Point } from '../../state/map-view.ts';
import { formatNumber } from '../../texts/format.ts';
import { Segments } from '../kit/controls.tsx';
import { usePanel, usePart } from '../kit/panel.tsx';
import { LegendBar } from '../legend-strip.tsx';
import { Opacity } from './opacity.tsx';

const isOn = ({ layer, exaggeration }: Terrain): boolean => layer !== 'none' || exaggeration !== null;

/** Three dimensions: a switch, how much the ground stands out, and how to look around. */
const Relief: FunctionComponent = () => {
  const {
    actions,
    texts: { terrain: words, locale },
  } = usePanel();
  const exaggeration = usePart(({ terrain }) => terrain.exaggeration);
  return (
    <div class="group">
      <label class="check">
        <input
          type="checkbox"
          id="relief"
          checked={exaggeration !== null}
          onChange={({ currentTarget: { checked } }) =>
            actions.raiseTerrain(checked ? EXAGGERATIONS.first : null)
          }
        />
        {words.relief}
      </label>
      {exaggeration !== null && (
        <>
          <div class="row">
            <label for="exaggeration">{words.exaggeration}</label>
            <input
              id="exaggeration"
              type="range"
              min={EXAGGERATIONS.min}
              max={EXAGGERATIONS.max}
              step={0.5}
              value={exaggeration}
              onInput={({ currentTarget }) => actions.raiseTerrain(Number(currentTarget.value))}
            />
            <output for="exaggeration">{`${formatNumber(exaggeration, locale)} ×`}</output>
          </div>
          <p class="muted small">{words.reliefHint}</p>
        </>
      )}
    </div>
  );
};

/** What the colours of slopes stand for; it is read when slopes are first shown. */
const SlopeLegend: FunctionComponent = () => {
  const { api, state } = usePanel();
  const legend = useSignal<Legend | null>(null);
  const isShown = useComputed(
    () => state.value.terrain.layer === 'slope' && state.value.phase.kind === 'ready',
  );
  useSignalEffect(() => {
    if (!isShown.value || legend.peek() !== null) return;
    api.readSlopeLegend().then(
      (read) => {
        legend.value = read;
      },
      // Another attempt when slopes are shown again; without its legend a slope is still a picture.
      () => undefined,
    );
  });
  if (!isShown.value || legend.value?.kind !== 'bar') return null;
  return (
    <div class="slope-legend">
      <LegendBar legend={legend.value} unit="°" />
    </div>
  );
};

/** Whether the server knows no heights in the scene; it is asked while `isOpen`. */
const useUnknown = (isOpen: { readonly value: boolean }): boolean => {
  const { api, state } = usePanel();
  const isUnknown = useSignal(false);
  const asked = useComputed(() => {
    const { phase, panel, shown } = state.value;
    return phase.kind === 'ready' && panel === 'look' && isOpen.value ? shown : null;
  });
  useSignalEffect(() => {
    if (asked.value === null) return;
    const [west, south, east, north] = toBox(asked.value.outline);
    const middle: Point = { lat: (south + north) / 2, lon: (((west + east) / 2 + 540) % 360) - 180 };
    const controller = new AbortController();
    const tell = (isNowUnknown: boolean): void => {
      if (!controller.signal.aborted) isUnknown.value = isNowUnknown;
    };
    api.readElevation(middle, controller.signal).then(
      (elevationM) => tell(elevationM === null),
      // Tiles report what is wrong with the server; until then it may have heights.
      () => tell(false),
    );
    return () => controller.abort();
  });
  return isUnknown.value;
};

/** The section; it asks whether heights are known in the scene when it is opened. */
export const TerrainSection: FunctionComponent = () => {
  const { actions, texts } = usePanel();
  const words = texts.terrain;
  const terrain = usePart((state) => state.terrain);
  const isOpen = useSignal(isOn(terrain));
  const isUnknown = useUnknown(isOpen);
  return (
    <details
      class="section of-both"
      id="terrain"
      open={isOpen.value}
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open;
      }}
    >
      <summary>{words.title}</summary>
      {isUnknown && (
        <p class="muted small" id="no-elevation" role="status">
          {words.unknownBefore}
          <code>swath ingest dem</code>
          {words.unknownAfter}
        </p>
      )}
      {/* What is on can be switched off, wherever the map is. */}
      {(!isUnknown || isOn(terrain)) && (
        <div class="group">
          <Segments
            name="terrain"
            legend={words.ground}
            choices={TERRAIN_LAYERS.map((value) => ({ value, title: words.layers[value] }))}
            value={terrain.layer}
            onChoose={actions.chooseTerrain}
          />
          <SlopeLegend />
          {isBelowScene(terrain.layer) && <Opacity id="opacity-over-terrain" label={words.opacity} />}
          <Relief />
        </div>
      )}
    </details>
  );
};
