/** JSON of an object or a list that was written where its data lie; it goes into the answer as it is. */
export class ReadyJson {
  constructor(readonly text: string) {}
}
