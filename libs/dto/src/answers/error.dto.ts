import { FlagField, TextField } from './fields.js';

export class ErrorResponseDto {
  @FlagField('Always false in an error.')
  success: false;

  @TextField('One sentence that says what is wrong.')
  error: string;
}
