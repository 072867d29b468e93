/** The first words of the page, and stories of the demo world that are one click away. */
import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import type { StoryName } from '../../scenes/stories.ts';
import { STORIES } from '../../scenes/stories.ts';
import { isWelcomeClosed, storeWelcomeClosed } from '../../state/welcome-storage.ts';
import { Button, Icon } from '../kit/controls.tsx';
import { usePanel, usePart } from '../kit/panel.tsx';
import { Notice } from '../kit/parts.tsx';

const ICONS: Readonly<Record<StoryName, string>> = {
  season: 'play',
  fire: 'swipe',
  flood: 'compare',
  field: 'polygon',
};

const Stories: FunctionComponent = () => {
  const { actions, map, state, texts } = usePanel();
  const words = texts.welcome;
  const there = useSignal<readonly StoryName[]>([]);
  // The list grows while the demo is made; what is there already changes with it.
  const found = useComputed(() => (state.value.phase.kind === 'ready' ? state.value.results.found : null));
  useSignalEffect(() => {
    if (found.value === null || there.peek().length === STORIES.length) return;
    const controller = new AbortController();
    const read = async (): Promise<void> => {
      await (await map).drawn;
      if (controller.signal.aborted) return;
      const names = await actions.readStories(controller.signal);
      if (!controller.signal.aborted) there.value = names;
    };
    // A page without a map, and stories that are not wanted any more, have nothing to show.
    read().catch(() => undefined);
    return () => controller.abort();
  });
  return (
    <>
      <ul class="stories">
        {STORIES.map(({ name }) => (
          <li key={name}>
            <button
              type="button"
              class="story"
              disabled={!there.value.includes(name)}
              onClick={() => void actions.tellStory(name)}
            >
              <Icon name={ICONS[name]} />
              <strong>{words.stories[name].title}</strong>
              <span class="story-hint">{words.stories[name].hint}</span>
            </button>
          </li>
        ))}
      </ul>
      {there.value.length < STORIES.length && <Notice kind="hint">{words.notYet}</Notice>}
    </>
  );
};

/** The words; nothing without the demo world, and once they were closed. */
export const Welcome: FunctionComponent = () => {
  const { texts } = usePanel();
  const hasDemo = usePart(({ knowledge }) => knowledge?.origins.hasDemo ?? false);
  const isClosed = useSignal(isWelcomeClosed());
  if (!hasDemo || isClosed.value) return null;
  const close = (): void => {
    isClosed.value = true;
    storeWelcomeClosed();
  };
  return (
    <section class="welcome" aria-label={texts.welcome.title}>
      <div class="heading-row">
        <p class="lead">{texts.welcome.sentence}</p>
        <Button look="plain" icon="close" label={texts.welcome.close} onClick={close} />
      </div>
      <Stories />
    </section>
  );
};
