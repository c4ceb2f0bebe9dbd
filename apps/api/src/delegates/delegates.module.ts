import { Module } from '@nestjs/common';
import { DelegatesController } from './delegates.controller.js';
import { DelegatesService } from './delegates.service.js';
import { NextForgersService } from './next-forgers.service.js';

@Module({
  controllers: [DelegatesController],
  providers: [DelegatesService, NextForgersService],
  exports: [DelegatesService, NextForgersService],
})
export class DelegatesModule {}
