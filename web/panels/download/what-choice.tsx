/** What a file holds: which bands, which indices, or the picture of the map in words. */
import type { ComponentChildren, FunctionComponent } from 'preact';
import type { DownloadActions } from '../../actions/downloads.ts';
import { bandsOfPicture, isColorable, isMaskedPicture } from '../../scenes/picture.ts';
import { bandsOfOrder, expressionsOfOrder } from '../../scenes/plan-order.ts';
import type { Scene } from '../../scenes/scene.ts';
import { titleOfBand, titleOfShown, wordsOfIndex } from '../../scenes/titles.ts';
import { formatNumber } from '../../texts/format.ts';
import { Button } from '../kit/controls.tsx';
import { usePanel, usePart } from '../kit/panel.tsx';
import { expressionOnMap } from './follow-order.ts';

/** As many expressions as one order takes. */
const MAX_EXPRESSIONS = 10;

interface CheckItem {
  readonly name: string;
  readonly title: string;
  readonly note: string;
}

interface CheckListProps {
  readonly legend: string;
  readonly items: readonly CheckItem[];
  readonly chosen: readonly string[];
  /** Called with the chosen names in the order of the items. */
  readonly onChoose: (chosen: readonly string[]) => void;
  readonly children?: ComponentChildren;
}

/** A list of which any number is chosen: names, what they are, and a note at the end of the line. */
const CheckList: FunctionComponent<CheckListProps> = ({ legend, items, chosen, onChoose, children }) => (
  <fieldset class="choice">
    <legend>{legend}</legend>
    <div class="check-rows">
      {items.map(({ name, title, note }) => (
        <label key={name} class="check check-row">
          <input
            type="checkbox"
            value={name}
            checked={chosen.includes(name)}
            onChange={({ currentTarget: { checked } }) =>
              onChoose(
                items
                  .map((item) => item.name)
                  .filter((one) => (one === name ? checked : chosen.includes(one))),
              )
            }
          />
          <span class="check-name">{name}</span>
          <span class="check-title muted">{title}</span>
          <span class="muted small">{note}</span>
        </label>
      ))}
    </div>
    {children}
  </fieldset>
);

interface WhatProps {
  readonly downloads: DownloadActions;
  readonly scene: Scene;
}

const Bands: FunctionComponent<WhatProps> = ({ downloads, scene }) => {
  const { texts } = usePanel();
  const words = texts.download;
  const picture = usePart((state) => state.picture);
  const chosen = usePart((state) => state.downloads.form.bands);
  const choose = (bands: readonly string[] | null): void => downloads.changeForm({ bands });
  const { bands } = scene.sensor;
  return (
    <CheckList
      legend={words.whichBands}
      items={bands.map((band) => ({
        name: band.name,
        title: titleOfBand(band, texts),
        note: `${formatNumber(band.resolutionM, texts.locale)} m`,
      }))}
      chosen={bandsOfOrder(scene, picture, chosen)}
      onChoose={choose}
    >
      <div class="quick">
        <Button look="link" onClick={() => choose(null)}>
          {words.asShown}
        </Button>
        <Button look="link" onClick={() => choose(bands.map(({ name }) => name))}>
          {words.all}
        </Button>
        <Button look="link" onClick={() => choose([])}>
          {words.none}
        </Button>
      </div>
    </CheckList>
  );
};

const Indices: FunctionComponent<WhatProps> = ({ downloads, scene }) => {
  const { texts } = usePanel();
  const words = texts.download;
  const picture = usePart((state) => state.picture);
  const chosen = usePart((state) => state.downloads.form.expressions);
  const own = usePart(expressionOnMap);
  const items = [
    ...(own === null ? [] : [{ name: own, title: words.onMap, note: '' }]),
    ...scene.sensor.indices
      .filter(({ kind }) => kind === 'index')
      .map((index) => ({ name: index.name, title: wordsOfIndex(index, texts).title, note: '' })),
  ];
  return (
    <CheckList
      legend={words.whichIndices}
      items={items}
      chosen={expressionsOfOrder(scene, picture, chosen)}
      onChoose={(names) => downloads.changeForm({ expressions: names.slice(0, MAX_EXPRESSIONS) })}
    >
      {items.length === 0 && <p class="muted small">{words.noIndices}</p>}
    </CheckList>
  );
};

/** The picture of the map in a line: `NDVI Vegetation · viridis · 0 to 1`. */
const PictureOfMap: FunctionComponent<{ readonly scene: Scene }> = ({ scene: { sensor } }) => {
  const { actions, texts } = usePanel();
  const { look, legend, locale, download: words } = texts;
  const picture = usePart((state) => state.picture);
  const ownColormaps = usePart((state) => state.ownColormaps);
  const bands = bandsOfPicture(sensor, picture);
  const base = picture.colormap?.replace(/_r$/, '');
  const own = ownColormaps.find(({ id }) => id === base)?.name;
  const parts = [titleOfShown(sensor, bands, texts)];
  if (picture.colormap !== null && isColorable(sensor, bands)) parts.push(own ?? picture.colormap);
  if (picture.contrast !== null) {
    const { min, max } = picture.contrast;
    parts.push(legend.between(formatNumber(min, locale), formatNumber(max, locale)));
  }
  if (picture.isCalibrated) parts.push(look.calibrate);
  if (picture.isPansharpened && sensor.hasPansharpening) parts.push(look.pansharpen);
  return (
    <div class="group">
      <h3>{words.asOnMap}</h3>
      <p>{parts.join(' · ')}</p>
      <Button look="link" onClick={() => actions.openPanel('look')}>
        {words.changeInLook}
      </Button>
      {picture.contrast?.others !== undefined && <p class="muted small">{words.oneContrast}</p>}
      {isMaskedPicture(sensor, picture) && <p class="muted small">{words.noCloudMask}</p>}
    </div>
  );
};

/** The one of the three that the kind of the order asks for. */
export const WhatChoice: FunctionComponent<WhatProps> = (props) => {
  const kind = usePart(({ downloads }) => downloads.form.kind);
  return (
    <div>
      {kind === 'bands' && <Bands {...props} />}
      {kind === 'index' && <Indices {...props} />}
      {kind === 'picture' && <PictureOfMap scene={props.scene} />}
    </div>
  );
};
