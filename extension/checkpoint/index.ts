/* Models from folders of the reader's: opened, run in a worker of their own, and a head of them shown in a panel. */

export { registerModels } from './open-model';
