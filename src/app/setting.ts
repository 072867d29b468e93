/** How one setting is read from the environment and explained to a person. */
export interface Setting<Value> {
  readonly variable: string;
  readonly summary: string;
  /** What `doctor` and the documentation show as the default. */
  readonly fallbackText: string;
  readonly fallback: () => Value;
  readonly parse: (text: string) => Value;
  /** Never printed. */
  readonly secret?: boolean;
  /** How a value that is not plain text is shown. */
  readonly show?: (value: Value) => string;
}

/** Settings by the name of their value. */
export type SettingsOf<Values> = { readonly [Name in keyof Values]: Setting<Values[Name]> };
