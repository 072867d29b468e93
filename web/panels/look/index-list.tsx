/** The indices of the sensor: a name, what it shows, its formula; filtered by what is typed. */
import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { isMissing } from '../../scenes/bands.ts';
import type { Scene } from '../../scenes/scene.ts';
import type { SensorIndex } from '../../scenes/sensor.ts';
import { wordsOfIndex } from '../../scenes/titles.ts';
import { usePanel, usePart } from '../kit/panel.tsx';

interface IndexProps {
  readonly index: SensorIndex;
  readonly isChosen: boolean;
  readonly isDisabled: boolean;
}

const IndexItem: FunctionComponent<IndexProps> = ({ index, isChosen, isDisabled }) => {
  const { actions, texts } = usePanel();
  const { name, expression } = index;
  const { title, description } = wordsOfIndex(index, texts);
  return (
    <li>
      <label class="index">
        <input
          type="radio"
          name="index"
          value={name}
          checked={isChosen}
          disabled={isDisabled}
          aria-label={`${name} ${title}`}
          aria-describedby={`index-${name}`}
          onChange={() => actions.chooseBands(name)}
        />
        <span class="index-name">
          <strong>{name}</strong>
          {` ${title}`}
        </span>
        <span class="muted small" id={`index-${name}`}>
          {description}
        </span>
        <code>{expression}</code>
      </label>
    </li>
  );
};

/** The list; it is not there for sensors without indices. */
export const IndexList: FunctionComponent<{ readonly scene: Scene }> = ({ scene: { sensor, viewId } }) => {
  const { texts } = usePanel();
  const chosen = usePart(({ picture }) => picture.bands);
  const missing = new Set(usePart((state) => state.missing[viewId]) ?? []);
  const typed = useSignal('');
  if (sensor.indices.length === 0) return null;
  const wanted = typed.value.trim().toLowerCase();
  const found = sensor.indices.filter((index) => {
    const { title, description } = wordsOfIndex(index, texts);
    return `${index.name} ${title} ${description}`.toLowerCase().includes(wanted);
  });
  return (
    <details class="section" open>
      <summary>{texts.look.indices}</summary>
      <input
        type="search"
        placeholder={texts.look.filterIndices}
        aria-label={texts.look.filterIndices}
        value={typed.value}
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value;
        }}
      />
      <ul class="indices">
        {found.map((index) => (
          <IndexItem
            key={index.name}
            index={index}
            isChosen={index.name === chosen}
            isDisabled={isMissing(sensor, index.name, missing)}
          />
        ))}
      </ul>
      {found.length === 0 && <p class="muted small">{texts.look.noIndex}</p>}
    </details>
  );
};
