/*
 * The lesson player's page: shows a lesson page by page, takes and marks the answers to its questions, and sends progress to the host. In a saved
 * page it runs without a host.
 */

export { startLesson } from './start';
