import { shapeOf } from '@assay/domain';
import { EXTENDED_FIELDS } from '@assay/domain/test/extended-shape';
import { optionalFields, returnedFields, updatableFields } from './event-fields.js';

const shape = shapeOf(EXTENDED_FIELDS);

describe('schemas of declared fields', () => {
  it('include a field that is added to the declaration in requests, updates and responses', () => {
    const schemas = [optionalFields(shape), updatableFields(shape), returnedFields(shape)];
    for (const properties of schemas)
      expect(properties).toMatchObject({
        labels: { type: 'object', description: 'Labels of the step.', examples: [{ team: 'search' }] },
        region: { type: ['string', 'null'] },
      });
  });

  it('leave out fields that clients cannot set, and internal ones', () => {
    expect(optionalFields()).not.toHaveProperty('project_id');
    expect(updatableFields()).not.toHaveProperty('session_id');
    expect(returnedFields()).not.toHaveProperty('origin');
  });
});
