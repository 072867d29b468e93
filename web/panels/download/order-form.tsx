/** The order: what, of which area, how; its size before it is ordered; refusals at the option that causes them. */
import type { FunctionComponent } from 'preact';
import type { DownloadActions } from '../../actions/downloads.ts';
import type { OrderField } from '../../scenes/plan-order.ts';
import { fieldOfRefusal } from '../../scenes/plan-order.ts';
import type { Scene } from '../../scenes/scene.ts';
import { DOWNLOAD_AREAS, DOWNLOAD_KINDS, PICTURE_FILES } from '../../state/downloads.ts';
import { formatBytes, formatNumber } from '../../texts/format.ts';
import { Icon, Segments, Select, Switch } from '../kit/controls.tsx';
import { usePanel, usePart } from '../kit/panel.tsx';
import { Fold } from '../kit/parts.tsx';
import { WhatChoice } from './what-choice.tsx';

interface OrderProps {
  readonly downloads: DownloadActions;
  readonly scene: Scene;
}

/** A line for the refusal of an option; a screen reader reads it when it comes. */
const Refusal: FunctionComponent<{ readonly field: OrderField }> = ({ field }) => {
  const estimate = usePart(({ downloads }) => downloads.estimate);
  const isHere = estimate.kind === 'refused' && fieldOfRefusal(estimate.code) === field;
  return (
    <p class="refusal small" role="alert" id={`refused-${field}`} hidden={!isHere}>
      {isHere ? estimate.text : ''}
    </p>
  );
};

const KindChoice: FunctionComponent<OrderProps> = ({ downloads }) => {
  const {
    texts: { download: words },
  } = usePanel();
  const kind = usePart((state) => state.downloads.form.kind);
  return (
    <div class="group">
      <Segments
        name="download-kind"
        legend={words.what}
        choices={DOWNLOAD_KINDS.map((value) => ({ value, title: words.kinds[value] }))}
        value={kind}
        onChoose={(chosen) => downloads.changeForm({ kind: chosen })}
      />
      <p class="muted small">{words.kindHints[kind]}</p>
    </div>
  );
};

const AreaChoice: FunctionComponent<OrderProps> = ({ downloads }) => {
  const {
    texts: { download: words },
  } = usePanel();
  const where = usePart((state) => state.downloads.form.where);
  const area = usePart((state) => state.area);
  return (
    <div class="group">
      <Segments
        name="download-area"
        legend={words.where}
        choices={DOWNLOAD_AREAS.map((value) => ({
          value,
          title: words.areas[value],
          isDisabled: value === 'area' && area === null,
        }))}
        value={where}
        onChoose={(chosen) => downloads.changeForm({ where: chosen })}
      />
      <p class="muted small">{area === null ? words.noArea : (area.name ?? '')}</p>
      <Refusal field="area" />
    </div>
  );
};

const PictureOptions: FunctionComponent<OrderProps> = ({ downloads, scene }) => {
  const { texts } = usePanel();
  const words = texts.download;
  const isPicture = usePart((state) => state.downloads.form.kind === 'picture');
  const file = usePart((state) => state.downloads.form.file);
  const finestM = Math.min(...scene.sensor.bands.map(({ resolutionM }) => resolutionM));
  return (
    <div class="group" hidden={!isPicture}>
      <div class="row">
        <label for="download-file">{words.file}</label>
        <Select
          id="download-file"
          choices={PICTURE_FILES.map((value) => ({ value, title: words.files[value] }))}
          value={file}
          onChoose={(chosen) => downloads.changeForm({ file: chosen })}
        />
      </div>
      <div class="row">
        <label for="download-pixel">{words.pixel}</label>
        <input
          id="download-pixel"
          type="number"
          min="0.01"
          max="100000"
          step="any"
          inputMode="decimal"
          aria-describedby="refused-pixel"
          placeholder={Number.isFinite(finestM) ? words.finest(formatNumber(finestM, texts.locale)) : ''}
          onInput={({ currentTarget: { value } }) => {
            const sizeM = Number(value);
            downloads.changeForm({ pixelM: value !== '' && Number.isFinite(sizeM) ? sizeM : null });
          }}
        />
      </div>
      <Refusal field="pixel" />
    </div>
  );
};

const MoreOptions: FunctionComponent<OrderProps> = ({ downloads }) => {
  const {
    texts: { download: words },
  } = usePanel();
  const form = usePart((state) => state.downloads.form);
  const system = form.kind !== 'picture' ? 'scene' : form.file === 'kmz' ? 'degrees' : 'map';
  return (
    <Fold title={words.more}>
      <div class="group">
        {form.kind === 'bands' && (
          <Switch isOn={form.isMerged} onSwitch={(isMerged) => downloads.changeForm({ isMerged })}>
            {words.merge}
          </Switch>
        )}
        <div class="row" hidden={form.kind === 'bands'}>
          <label for="download-name">{words.name}</label>
          <input
            id="download-name"
            type="text"
            maxLength={200}
            autocomplete="off"
            onInput={({ currentTarget }) => downloads.changeForm({ name: currentTarget.value })}
          />
        </div>
        <Refusal field="name" />
        <p class="muted small">{words.systems[system]}</p>
      </div>
    </Fold>
  );
};

const Size: FunctionComponent = () => {
  const { texts } = usePanel();
  const words = texts.download;
  const estimate = usePart(({ downloads }) => downloads.estimate);
  return (
    <p class="estimate" role="status">
      {estimate.kind === 'known' ? (
        <>
          <strong>{words.about(formatBytes(estimate.bytes, texts.locale))}</strong>
          <span class="muted small file-name">{estimate.fileName}</span>
        </>
      ) : (
        <span class="muted">{estimate.kind === 'asking' ? words.estimating : ''}</span>
      )}
    </p>
  );
};

/** The form. */
export const OrderForm: FunctionComponent<OrderProps> = (props) => {
  const {
    texts: { download: words },
  } = usePanel();
  const isDisabled = usePart(
    ({ downloads: { estimate, isOrdering } }) =>
      isOrdering || (estimate.kind === 'refused' && !estimate.canRetry),
  );
  return (
    // The server's refusal is shown at its option; a browser cannot point at a field that is hidden, and would do nothing.
    <form
      class="order"
      aria-label={words.order}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void props.downloads.order();
      }}
    >
      <KindChoice {...props} />
      <WhatChoice {...props} />
      <Refusal field="what" />
      <AreaChoice {...props} />
      <PictureOptions {...props} />
      <MoreOptions {...props} />
      <Refusal field="all" />
      <div class="order-end">
        <button type="submit" class="primary" disabled={isDisabled}>
          <Icon name="download" />
          {words.order}
        </button>
        <Size />
      </div>
    </form>
  );
};
