/* The Share menu: code, files and links that can be copied or saved. */

export { createShare, type Share, type ShareActions } from './share';
