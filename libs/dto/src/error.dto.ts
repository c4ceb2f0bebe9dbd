import { z } from 'zod';
import { answerDto, text } from './answer-dto.js';

export class ErrorResponseDto extends answerDto({
  success: z.literal(false).meta({ type: 'boolean', description: 'Always false in an error.' }),
  error: text('One sentence that says what is wrong.'),
}) {}
