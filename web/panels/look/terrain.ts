/** Terrain: the ground under the scene as shade, slope or contours, and the map in three dimensions. */
import { h } from 'preact';
import { makeLatest } from '../../actions/latest.ts';
import { toBox } from '../../scenes/footprint.ts';
import type { Terrain } from '../../scenes/terrain.ts';
import { EXAGGERATIONS, isBelowScene, TERRAIN_LAYERS } from '../../scenes/terrain.ts';
import type { Point } from '../../state/map-view.ts';
import { formatNumber } from '../../texts/format.ts';
import { el } from '../dom.ts';
import { toPanel } from '../kit/panel.tsx';
import { LegendBar } from '../legend-strip.tsx';
import type { PanelContext } from '../panel-context.ts';
import { makeRadios } from '../radios.ts';
import { makeOpacity } from './opacity.tsx';

const isOn = ({ layer, exaggeration }: Terrain): boolean => layer !== 'none' || exaggeration !== null;

/** Three dimensions: a switch, how much the ground stands out, and how to look around. */
const makeRelief = ({ store, actions, texts: { terrain: words, locale } }: PanelContext): HTMLElement => {
  const input = el('input', { type: 'checkbox', id: 'relief' });
  input.addEventListener('change', () => actions.raiseTerrain(input.checked ? EXAGGERATIONS.first : null));
  const output = el('output', { for: 'exaggeration' });
  const range = el('input', {
    id: 'exaggeration',
    type: 'range',
    min: String(EXAGGERATIONS.min),
    max: String(EXAGGERATIONS.max),
    step: '0.5',
  });
  range.addEventListener('input', () => actions.raiseTerrain(Number(range.value)));
  const row = el(
    'div',
    { class: 'row' },
    el('label', { for: 'exaggeration' }, words.exaggeration),
    range,
    output,
  );
  const hint = el('p', { class: 'muted small' }, words.reliefHint);
  store.watch(
    ({ terrain }) => terrain.exaggeration,
    (exaggeration) => {
      input.checked = exaggeration !== null;
      row.hidden = exaggeration === null;
      hint.hidden = exaggeration === null;
      range.value = String(exaggeration ?? EXAGGERATIONS.first);
      output.value = `${formatNumber(Number(range.value), locale)} ×`;
    },
  );
  return el('div', { class: 'group' }, el('label', { class: 'check' }, input, words.relief), row, hint);
};

/** What the colours of slopes stand for; it is read when slopes are first shown. */
const makeSlopeLegend = (context: PanelContext): HTMLElement => {
  const { store, api } = context;
  const host = el('div', { class: 'slope-legend' });
  let isAsked = false;
  store.watch(
    ({ terrain, phase }) => terrain.layer === 'slope' && phase.kind === 'ready',
    (isShown) => {
      host.hidden = !isShown;
      if (!isShown || isAsked) return;
      isAsked = true;
      api.readSlopeLegend().then(
        (legend) => {
          if (legend?.kind === 'bar')
            host.replaceChildren(toPanel(() => h(LegendBar, { legend, unit: '°' }))(context));
        },
        () => {
          // Another attempt when slopes are shown again; without its legend a slope is still a picture.
          isAsked = false;
        },
      );
    },
  );
  return host;
};

/** What to say where no height is known: how an operator changes that. */
const makeUnknown = ({ texts: { terrain: words } }: PanelContext): HTMLElement =>
  el(
    'p',
    { class: 'muted small', id: 'no-elevation', role: 'status' },
    words.unknownBefore,
    el('code', {}, 'swath ingest dem'),
    words.unknownAfter,
  );

/** Builds the section; it asks whether heights are known in the scene when it is opened. */
export const makeTerrainSection = (context: PanelContext): HTMLElement => {
  const { store, actions, api, texts } = context;
  const words = texts.terrain;
  const latest = makeLatest();
  const radios = makeRadios({
    name: 'terrain',
    legend: words.ground,
    choices: TERRAIN_LAYERS.map((value) => ({ value, title: words.layers[value] })),
    onChoose: (value) => actions.chooseTerrain(TERRAIN_LAYERS.find((one) => one === value) ?? 'none'),
  });
  const opacity = makeOpacity(context, { id: 'opacity-over-terrain', label: words.opacity });
  const unknown = makeUnknown(context);
  const controls = el(
    'div',
    { class: 'group' },
    radios.element,
    makeSlopeLegend(context),
    opacity,
    makeRelief(context),
  );
  const details = el(
    'details',
    { class: 'section', id: 'terrain', open: isOn(store.read().terrain) },
    el('summary', {}, words.title),
    unknown,
    controls,
  );

  let isUnknown = false;
  const show = (): void => {
    const { terrain } = store.read();
    radios.show(terrain.layer);
    opacity.hidden = !isBelowScene(terrain.layer);
    unknown.hidden = !isUnknown;
    // What is on can be switched off, wherever the map is.
    controls.hidden = isUnknown && !isOn(terrain);
  };
  const check = async (): Promise<void> => {
    const { shown, phase, panel } = store.read();
    if (shown === null || phase.kind !== 'ready' || panel !== 'look' || !details.open) return;
    const signal = latest.start();
    const [west, south, east, north] = toBox(shown.outline);
    const middle: Point = { lat: (south + north) / 2, lon: (((west + east) / 2 + 540) % 360) - 180 };
    try {
      const elevationM = await api.readElevation(middle, signal);
      if (signal.aborted) return;
      isUnknown = elevationM === null;
    } catch {
      // Tiles report what is wrong with the server; until then it may have heights.
      isUnknown = false;
    }
    show();
  };
  details.addEventListener('toggle', () => void check());
  store.watch(
    ({ shown, phase, panel }) => (phase.kind === 'ready' && panel === 'look' ? shown : null),
    () => void check(),
  );
  store.watch(({ terrain }) => terrain, show);
  return details;
};
