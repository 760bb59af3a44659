/* All open panels, each with its controller, and the commands that act on the panel last used. */

export { createController } from './controller';
export { createControllers, type PanelControllers } from './controllers';
export { registerFollowing } from './follow';
export { keptStates, type Kept } from './kept';
export { linkHandler } from './link-handler';
export { registerPageCommands } from './page-commands';
