// The five tutorials lie beside the checkout, where they may: they are others' texts and not in the repository. Tests that read them skip themselves elsewhere.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Their folder; undefined where there is none. */
export const tutorialsFolder = ['../../../shared/tutorials', '../../../../shared/tutorials']
  .map((path) => join(__dirname, path))
  .find((path) => existsSync(path));
