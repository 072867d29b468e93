/** The controls for the scene that is shown: composition, single band, colours, opacity, tile address. */
import type { ViewerSensor } from '../scenes/bands.ts';
import { COLORMAPS, isColorable } from '../scenes/colormaps.ts';
import { el } from './dom.ts';

interface BandPickerEvents {
  onBands(bands: string): void;
  /** `null` for the colours that a picture has by itself. */
  onColormap(colormap: string | null): void;
  onOpacity(opacity: number): void;
  onCopy(): void;
}

/** What the controls are to show. */
interface BandChoice {
  readonly sensor: ViewerSensor;
  readonly bands: string;
  readonly colormap: string | null;
  /** Choices the scene is known to lack the files of: they cannot be chosen. */
  readonly missing: ReadonlySet<string>;
}

/** The controls and the way to make them show a choice made elsewhere, for example in the address. */
export interface BandPicker {
  readonly element: HTMLElement;
  show(choice: BandChoice): void;
}

/** Builds the controls; they only report, what happens then is the caller's business. */
export const makeBandPicker = (events: BandPickerEvents): BandPicker => {
  const { onBands, onColormap, onOpacity, onCopy } = events;
  let offered: ViewerSensor | null = null;
  let radios: readonly HTMLInputElement[] = [];
  const legend = el('legend', { class: 'unseen' }, 'Composition');
  const segments = el('fieldset', { class: 'segments' }, legend);
  const select = el('select', { id: 'single-band' });
  const bandRow = el('div', { class: 'row' }, el('label', { for: 'single-band' }, 'Single band'), select);
  const none = el('option', { value: '' }, 'None: colour composition');
  select.addEventListener('change', () => {
    if (offered !== null) onBands(select.value === '' ? offered.compositions[0].bands : select.value);
  });

  const colors = el(
    'select',
    { id: 'colormap' },
    el('option', { value: '' }, 'Default colours'),
    ...COLORMAPS.map(({ name, title }) => el('option', { value: name }, title)),
  );
  const colorRow = el('div', { class: 'row' }, el('label', { for: 'colormap' }, 'Colours'), colors);
  colors.addEventListener('change', () => onColormap(colors.value === '' ? null : colors.value));

  const offer = ({ compositions, bands }: ViewerSensor): void => {
    radios = compositions.map((composition) =>
      el('input', { type: 'radio', name: 'composition', value: composition.bands }),
    );
    for (const radio of radios) radio.addEventListener('change', () => onBands(radio.value));
    const labels = compositions.map((composition, i) => {
      const hint = `${composition.hint} (${composition.bands})`.trim();
      return el(
        'label',
        { class: 'segment', title: hint },
        radios[i] ?? '',
        el('span', {}, composition.title),
      );
    });
    segments.replaceChildren(legend, ...labels);
    const options = bands.map(({ name, title }) => el('option', { value: name }, `${name}  ${title}`));
    select.replaceChildren(none, ...options);
    // A list of what the buttons offer already would only take room: radar polarisations, a lone panchromatic band.
    const buttons = new Set(compositions.map((composition) => composition.bands));
    bandRow.hidden = bands.every(({ name }) => buttons.has(name));
  };

  const output = el('output', { for: 'opacity' }, '100 %');
  const range = el('input', { id: 'opacity', type: 'range', min: '0', max: '100', step: '1', value: '100' });
  range.addEventListener('input', () => {
    output.value = `${range.value} %`;
    onOpacity(Number(range.value) / 100);
  });

  const copy = el('button', { type: 'button', class: 'secondary' }, 'Copy tile URL');
  copy.addEventListener('click', onCopy);

  return {
    element: el(
      'section',
      { class: 'display', 'aria-label': 'Display' },
      el('h2', {}, 'Display'),
      segments,
      el('div', { class: 'choices' }, bandRow, colorRow),
      el('div', { class: 'row' }, el('label', { for: 'opacity' }, 'Opacity'), range, output),
      copy,
    ),
    show({ sensor, bands, colormap, missing }) {
      // Only for another sensor, so that a control in use keeps the focus.
      if (sensor !== offered) offer(sensor);
      offered = sensor;
      for (const radio of radios) {
        radio.checked = radio.value === bands;
        radio.disabled = missing.has(radio.value);
      }
      for (const option of select.options) option.disabled = missing.has(option.value);
      select.value = sensor.bands.some(({ name }) => name === bands) ? bands : '';
      colorRow.hidden = !isColorable(sensor, bands);
      colors.value = colormap ?? '';
    },
  };
};
