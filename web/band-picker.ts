/** The controls for the scene that is shown: composition, single band, opacity, tile address. */
import { BANDS, COMPOSITIONS } from './bands.ts';
import { el } from './dom.ts';

interface BandPickerEvents {
  onBands(bands: string): void;
  onOpacity(opacity: number): void;
  onCopy(): void;
}

/** The controls and the way to make them show a choice made elsewhere, for example in the address. */
export interface BandPicker {
  readonly element: HTMLElement;
  show(bands: string): void;
}

/** Builds the controls; they only report, what happens then is the caller's business. */
export const makeBandPicker = ({ onBands, onOpacity, onCopy }: BandPickerEvents): BandPicker => {
  const radios = COMPOSITIONS.map(({ bands }) =>
    el('input', { type: 'radio', name: 'composition', value: bands }),
  );
  const segments = COMPOSITIONS.map(({ title, hint, bands }, i) =>
    el('label', { class: 'segment', title: `${hint} (${bands})` }, radios[i] ?? '', el('span', {}, title)),
  );
  for (const radio of radios) radio.addEventListener('change', () => onBands(radio.value));

  const select = el(
    'select',
    { id: 'single-band' },
    el('option', { value: '' }, 'None: colour composition'),
    ...BANDS.map(({ id, title }) => el('option', { value: id }, `${id}  ${title}`)),
  );
  const none = (): string => radios.find((radio) => radio.checked)?.value ?? COMPOSITIONS[0].bands;
  select.addEventListener('change', () => onBands(select.value === '' ? none() : select.value));

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
      el(
        'fieldset',
        { class: 'segments' },
        el('legend', { class: 'unseen' }, 'Colour composition'),
        ...segments,
      ),
      el('div', { class: 'row' }, el('label', { for: 'single-band' }, 'Single band'), select),
      el('div', { class: 'row' }, el('label', { for: 'opacity' }, 'Opacity'), range, output),
      copy,
    ),
    show(bands) {
      for (const radio of radios) radio.checked = radio.value === bands;
      select.value = BANDS.some((band) => band.id === bands) ? bands : '';
    },
  };
};
