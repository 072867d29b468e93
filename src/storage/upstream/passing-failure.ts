/** A failure that another try may fix; `afterMs` is what the store asked us to wait. */
export class PassingFailure {
  readonly error: Error;
  readonly afterMs: number;
  constructor(error: Error, afterMs = 0) {
    this.error = error;
    this.afterMs = afterMs;
  }
}
