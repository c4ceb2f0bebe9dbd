import { Module } from '@nestjs/common';
import { SignaturesController } from './signatures.controller.js';

@Module({ controllers: [SignaturesController] })
export class SignaturesModule {}
