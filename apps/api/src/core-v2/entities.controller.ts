import { Param, Query } from '@nestjs/common';
import { coreMemoryList, corePath, ENTITY, ID, many, notFound, one } from '@roundhouse/dto/core-v2';
import { CoreEntitiesReader } from '@roundhouse/readers';
import { made, type MakeContent } from '../answers/answer-request.js';
import { CoreV2Controller, IndexedGet, Pathname } from './core-v2.decorators.js';
import { memoryAnswer } from './list-answer.js';
import { shownEntity } from './memory-resources.js';

class EntitiesQuery extends coreMemoryList(ENTITY) {}
class EntityPath extends corePath('id', ID.transaction) {}

const BY_NAME = [{ property: 'data.name', direction: 'asc' }] as const;

@CoreV2Controller('entities')
export class EntitiesController {
  constructor(private readonly entities: CoreEntitiesReader) {}

  @IndexedGet('', 'Entities.', many('CoreEntity'))
  listEntities(@Query() query: EntitiesQuery, @Pathname() pathname: string): MakeContent<object> {
    return made({ places: 'lists', key: pathname }, (chain) =>
      memoryAnswer(this.entities, query, BY_NAME, pathname, chain, shownEntity),
    );
  }

  @IndexedGet(':id', 'An entity.', one('CoreEntity'))
  getEntity(@Param() { id }: EntityPath): MakeContent<object> {
    return async (chain) => {
      const entity = await this.entities.findEntity(chain.head, id);
      if (!entity) throw notFound('Entity');
      return { data: shownEntity(entity) };
    };
  }
}
