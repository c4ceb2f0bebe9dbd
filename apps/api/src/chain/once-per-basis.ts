/** Makes a value once per basis, even if many callers want it, and drops the value of the previous basis. */
export class OncePerBasis<T> {
  private newest: { readonly basis: object; readonly made: Promise<T> } | undefined;

  get(basis: object, make: () => Promise<T>): Promise<T> {
    if (this.newest?.basis === basis) return this.newest.made;
    const made = make();
    this.newest = { basis, made };
    // After a failure, the next call tries again.
    made.catch(() => {
      if (this.newest?.made === made) this.newest = undefined;
    });
    return made;
  }
}
