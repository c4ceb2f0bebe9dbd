import { Entity } from 'typeorm';
import { PrimaryColumn } from '../decorators.js';

@Entity('payments', {
  comment:
    'The multi-payments that pay an address, once each. The payments themselves are in the asset of the transaction.',
})
export class PaymentEntity {
  @PrimaryColumn('integer', { comment: 'Number in addresses.' }) recipient: number;
  @PrimaryColumn('integer') blockHeight: number;
  @PrimaryColumn('integer') sequence: number;
}
