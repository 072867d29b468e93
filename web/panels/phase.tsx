/** What the panel shows before there are scenes: a form for the key, waiting, an empty catalog, or a failure. */
import type { FunctionComponent } from 'preact';
import { NotShared, SharedCard } from '../shared/shared-card.tsx';
import { KeyForm } from './key-form.tsx';
import { Button } from './kit/controls.tsx';
import { usePanel, usePart } from './kit/panel.tsx';

/** The server is busy with something first; `text` is its own wording, for example "the first demo scene". */
const Waiting: FunctionComponent<{ readonly text: string }> = ({ text }) => {
  const { texts } = usePanel();
  const percent = /(\d{1,3}(?:\.\d+)?)\s*%/.exec(text)?.[1];
  return (
    <div class="state" id="waiting">
      <h3>{texts.states.gettingReady}</h3>
      <progress
        max={100}
        value={percent === undefined ? undefined : Number(percent)}
        aria-label={texts.states.preparing}
      />
      <p class="muted">{text}</p>
    </div>
  );
};

const EmptyCatalog: FunctionComponent = () => {
  const {
    texts: { states },
  } = usePanel();
  return (
    <div class="state">
      <h3>{states.noScenes}</h3>
      <p class="muted">
        {states.addScenesBefore}
        <code>swath ingest</code>
        {states.addScenesAfter}
      </p>
    </div>
  );
};

const Failed: FunctionComponent<{ readonly text: string }> = ({ text }) => {
  const { texts, actions } = usePanel();
  return (
    <div class="state">
      <h3>{texts.states.failed}</h3>
      <p role="alert">{text}</p>
      <Button look="primary" onClick={() => void actions.start()}>
        {texts.frame.tryAgain}
      </Button>
    </div>
  );
};

/** Gray lines where cards will be. */
const Loading: FunctionComponent = () => {
  const { texts } = usePanel();
  return (
    <div class="state">
      <p class="muted">{texts.states.loading}</p>
      <div class="skeleton" />
      <div class="skeleton" />
      <div class="skeleton" />
      <div class="skeleton" />
    </div>
  );
};

/** The phase of the page. */
export const PhaseView: FunctionComponent = () => {
  const phase = usePart((state) => state.phase);
  switch (phase.kind) {
    case 'needs-key':
      return <KeyForm refusal={phase.refusal} />;
    case 'shared':
      return <SharedCard map={phase.map} />;
    case 'not-shared':
      return <NotShared text={phase.text} />;
    case 'waiting':
      return <Waiting text={phase.text} />;
    case 'failed':
      return <Failed text={phase.text} />;
    case 'empty':
      return <EmptyCatalog />;
    default:
      return <Loading />;
  }
};
