import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { candidatesOf } from '../../engine/python/index';

/** The files that may be a module's, for a program in a folder of a project at `/project`. */
const places = (module: string, own: string): readonly string[] =>
  [...candidatesOf(module, own, { above: posix.dirname, isLast: (folder) => folder === '/project' })].map(({ folder, path }) => posix.join(folder, path)); // prettier-ignore

describe('where the file of an imported module may lie', () => {
  it('is the folder of the program and those above, the nearest first, then a folder `src` in each', () => {
    assert.deepEqual(places('tiny.model', '/project/tests'), [
      '/project/tests/tiny/model.py',
      '/project/tests/tiny/model/__init__.py',
      '/project/tiny/model.py',
      '/project/tiny/model/__init__.py',
      '/project/tests/src/tiny/model.py',
      '/project/tests/src/tiny/model/__init__.py',
      '/project/src/tiny/model.py',
      '/project/src/tiny/model/__init__.py',
    ]);
  });

  it('is relative to the program alone where the import is', () => {
    assert.deepEqual(places('..rope', '/project/src/tiny/layers'), ['/project/src/tiny/rope.py', '/project/src/tiny/rope/__init__.py']); // prettier-ignore
    assert.deepEqual(places('.', '/project/src'), ['/project/src/__init__.py']);
    assert.deepEqual(places('no path', '/project'), []);
  });
});
