import assert from 'node:assert/strict';
import { t, useTexts } from '../../engine/text/l10n';

describe('texts in the reader’s language', () => {
  afterEach(() => useTexts({}));

  it('are English without a translation', () => {
    assert.equal(t('K has {0} columns, Q has {1}', 3, 4), 'K has 3 columns, Q has 4');
    assert.equal(t('no tokens'), 'no tokens');
  });

  it('put values where the translation wants them, as they are', () => {
    useTexts({ 'K has {0} columns, Q has {1}': 'Q hat {1} Spalten, K hat {0}' });
    assert.equal(t('K has {0} columns, Q has {1}', 3, '{0}'), 'Q hat {0} Spalten, K hat 3');
  });

  it('leave a hole that has no value, and braces without values', () => {
    assert.equal(t('{0} of {1}', 1), '1 of {1}');
    assert.equal(t('{0}'), '{0}');
  });
});
