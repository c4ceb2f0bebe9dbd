import { Module } from '@nestjs/common';
import { LoaderController } from './loader.controller.js';

@Module({ controllers: [LoaderController] })
export class LoaderModule {}
