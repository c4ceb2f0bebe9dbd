import { ReadyJson, type AutoconfigureResponseDto } from '@roundhouse/dto';
import { made, type MakeContent } from '../answers/answer-request.js';
import { LoaderController as Contract } from '../loader/loader.controller.js';
import { CoreV1Controller, Host, NodeGet, type ClientHost } from './core-v1.decorators.js';

@CoreV1Controller('loader')
export class LoaderController extends Contract {
  @NodeGet('autoconfigure')
  override getConfiguration(@Host() host?: ClientHost): MakeContent<AutoconfigureResponseDto> {
    const { key, port } = host!;
    const ports = { '@arkecosystem/core-p2p': new ReadyJson('null'), '@arkecosystem/core-api': port };
    return made({ key, isKept: false }, ({ network: { nethash, token, symbol, explorer, pubKeyHash } }) => {
      const network = { nethash, token, symbol, explorer, version: pubKeyHash, ports };
      return { network, success: true };
    });
  }
}
