/** Natural or automatic contrast: the same on every date, or fitted to each scene. */
import type { FunctionComponent } from 'preact';
import type { Stretch } from '../../scenes/picture.ts';
import { bandsOfPicture, hasNaturalColor, STRETCHES } from '../../scenes/picture.ts';
import { Segments } from '../kit/controls.tsx';
import { usePanel, usePart } from '../kit/panel.tsx';

/** The switch; it is not there for band math, which has no natural colour. */
export const StretchChoice: FunctionComponent = () => {
  const {
    actions,
    texts: { look },
  } = usePanel();
  const shown = usePart((state) => state.shown);
  const picture = usePart((state) => state.picture);
  if (shown === null || !hasNaturalColor(shown.sensor, bandsOfPicture(shown.sensor, picture))) return null;
  const choose = (stretch: Stretch): void => {
    // Natural colour is of calibrated values by itself; handles that were moved from it have switched that on.
    if (stretch === 'natural') actions.choosePicture({ stretch, contrast: null, isCalibrated: false });
    else actions.choosePicture({ stretch, contrast: null });
  };
  return (
    <Segments
      name="stretch"
      legend={look.stretch}
      choices={STRETCHES.map((value) => ({ value, ...look.stretches[value] }))}
      // A contrast by hand is neither.
      value={picture.contrast === null ? picture.stretch : null}
      onChoose={choose}
    />
  );
};
