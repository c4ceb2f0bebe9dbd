/** Makes something once for each basis, however many ask for it; what was made for the basis before is dropped. */
export class OncePerBasis<T> {
  private newest: { readonly basis: object; readonly made: Promise<T> } | undefined;

  get(basis: object, make: () => Promise<T>): Promise<T> {
    if (this.newest?.basis === basis) return this.newest.made;
    const made = make();
    this.newest = { basis, made };
    // What failed is tried again at the next call.
    made.catch(() => {
      if (this.newest?.made === made) this.newest = undefined;
    });
    return made;
  }
}
