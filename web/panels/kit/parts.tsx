/** Parts that panels are put together of: sections, notices, and what stands where nothing is yet. */
import type { ComponentChildren, FunctionComponent } from 'preact';

interface SectionProps {
  readonly title: string;
  /** What stands in the row of the title, at its end. */
  readonly aside?: ComponentChildren;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A part of a panel under a heading. */
export const Section: FunctionComponent<SectionProps> = ({ title, aside, class: name, children }) => (
  <section class={name}>
    {aside === undefined ? (
      <h3>{title}</h3>
    ) : (
      <div class="heading-row">
        <h3>{title}</h3>
        {aside}
      </div>
    )}
    {children}
  </section>
);

/** A part that opens by a click, for what few people need. */
export const Fold: FunctionComponent<{ readonly title: string; readonly children: ComponentChildren }> = ({
  title,
  children,
}) => (
  <details class="section">
    <summary>{title}</summary>
    {children}
  </details>
);

/** A sentence that must be seen: screen readers say an error at once, and a hint when they have time. */
export const Notice: FunctionComponent<{
  readonly kind: 'error' | 'hint';
  readonly children: ComponentChildren;
}> = ({ kind, children }) =>
  kind === 'error' ? (
    <p class="refusal" role="alert">
      {children}
    </p>
  ) : (
    <p class="muted" role="status">
      {children}
    </p>
  );

interface EmptyProps {
  /** What the panel is for, where its title does not say so. */
  readonly title?: string;
  /** Why nothing is here, and what changes that. */
  readonly text: string;
  /** Buttons that change it. */
  readonly children?: ComponentChildren;
}

/** What stands where nothing is yet: it explains itself and offers the next step. */
export const Empty: FunctionComponent<EmptyProps> = ({ title, text, children }) => (
  <div class="state">
    {title !== undefined && <h3>{title}</h3>}
    <p class="muted">{text}</p>
    {children}
  </div>
);

/** A word and its measure. */
export type Fact = readonly [name: string, value: string];

/** Measures, in columns. */
export const Facts: FunctionComponent<{ readonly facts: readonly Fact[] }> = ({ facts }) => (
  <dl class="measures">
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
