/** Switches of the picture: physical values, sharpening, clouds, interpolation. */
import type { FunctionComponent } from 'preact';
import { isMaskedPicture, isRadar, RESAMPLINGS } from '../../scenes/picture.ts';
import { FieldRow, Select, Switch } from '../kit/controls.tsx';
import { usePanel, usePart } from '../kit/panel.tsx';
import { Fold } from '../kit/parts.tsx';

/** The switches; what the sensor does not have is not there. */
export const Options: FunctionComponent = () => {
  const {
    actions,
    texts: { look },
  } = usePanel();
  const picture = usePart((state) => state.picture);
  const { isCalibrated, isPansharpened, isSpeckleFiltered, resampling } = picture;
  const sensor = usePart(({ shown }) => shown?.sensor ?? null);
  return (
    <Fold title={look.options}>
      {/* Stored numbers and physical values have other ranges. */}
      <Switch
        isOn={isCalibrated}
        onSwitch={(isOn) => actions.choosePicture({ isCalibrated: isOn, contrast: null })}
      >
        {look.calibrate}
      </Switch>
      {sensor?.hasPansharpening && (
        <Switch isOn={isPansharpened} onSwitch={(isOn) => actions.choosePicture({ isPansharpened: isOn })}>
          {look.pansharpen}
        </Switch>
      )}
      {sensor !== null && isRadar(sensor) && (
        <Switch
          isOn={isSpeckleFiltered}
          hint={look.speckleHint}
          onSwitch={(isOn) => actions.choosePicture({ isSpeckleFiltered: isOn })}
        >
          {look.speckle}
        </Switch>
      )}
      {sensor?.hasCloudMask && (
        <Switch
          isOn={isMaskedPicture(sensor, picture)}
          hint={look.cloudMaskHint}
          onSwitch={(isOn) => actions.choosePicture({ isCloudMasked: isOn })}
        >
          {look.cloudMask}
        </Switch>
      )}
      <FieldRow label={look.resampling}>
        {(id) => (
          <Select
            id={id}
            choices={RESAMPLINGS.map((value) => ({ value, title: look.resamplings[value] }))}
            // What the server does by default.
            value={resampling ?? 'bilinear'}
            onChoose={(chosen) =>
              actions.choosePicture({ resampling: chosen === 'bilinear' ? null : chosen })
            }
          />
        )}
      </FieldRow>
    </Fold>
  );
};
