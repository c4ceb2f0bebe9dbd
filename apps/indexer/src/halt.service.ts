import { Injectable } from '@nestjs/common';

/** How a service stops the whole process, after an error that trying again would not remove. */
@Injectable()
export class HaltService {
  halt!: (reason: Error) => void;

  /** Resolves with the reason when a service halts the process. */
  readonly halted = new Promise<Error>((resolve) => (this.halt = resolve));
}
