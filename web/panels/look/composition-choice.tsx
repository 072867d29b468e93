/** Compositions as segments, and single bands as a list. */
import type { FunctionComponent } from 'preact';
import { isMissing } from '../../scenes/bands.ts';
import { bandsOfPicture } from '../../scenes/picture.ts';
import type { Scene } from '../../scenes/scene.ts';
import { titleOfBand, titleOfComposition } from '../../scenes/titles.ts';
import { Segments, Select } from '../kit/controls.tsx';
import { usePanel, usePart } from '../kit/panel.tsx';

/** Both; they offer what the sensor of the scene has. */
export const CompositionChoice: FunctionComponent<{ readonly scene: Scene }> = ({ scene }) => {
  const { actions, texts } = usePanel();
  const { sensor, viewId } = scene;
  const { compositions, bands: all } = sensor;
  const picture = usePart((state) => state.picture);
  const missing = new Set(usePart((state) => state.missing[viewId]) ?? []);
  const bands = bandsOfPicture(sensor, picture);
  // A list of what the segments offer already would only take room: radar polarisations, a lone panchromatic band.
  const isListed = all.some(({ name }) => !compositions.some((one) => one.bands === name));
  return (
    <div class="group">
      <Segments
        // Names of bands are those of one sensor.
        key={sensor.dataset}
        name="composition"
        legend={texts.look.compositions}
        choices={compositions.map((one) => {
          const words = titleOfComposition(sensor, one.bands, texts);
          return {
            value: one.bands,
            title: words?.title ?? one.bands,
            hint: `${words?.hint ?? ''} (${one.bands})`.trim(),
            isDisabled: isMissing(sensor, one.bands, missing),
          };
        })}
        value={bands}
        onChoose={actions.chooseBands}
      />
      {isListed && (
        <div class="row">
          <label for="single-band">{texts.look.bands}</label>
          <Select
            id="single-band"
            choices={[
              { value: '', title: '–' },
              ...all.map((band) => ({
                value: band.name,
                title: `${band.name}  ${titleOfBand(band, texts)}`,
                isDisabled: missing.has(band.name),
              })),
            ]}
            value={all.some(({ name }) => name === bands) ? bands : ''}
            onChoose={(name) => actions.chooseBands(name === '' ? compositions[0].bands : name)}
          />
        </div>
      )}
    </div>
  );
};
