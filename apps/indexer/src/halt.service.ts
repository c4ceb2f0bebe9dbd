import { Injectable } from '@nestjs/common';

/** The one way for a service to stop the whole process: what went wrong cannot be mended by trying again. */
@Injectable()
export class HaltService {
  halt!: (reason: Error) => void;

  /** Resolves with the reason when a service halts the process; never otherwise. */
  readonly halted = new Promise<Error>((resolve) => (this.halt = resolve));
}
